"""Connects the elevator to Interplay: the buttons are its input signals, the indicators its output signals."""

from elevator import Elevator
from interplay import System, serve


class ElevatorSystem(System):
    name = "elevator in Python"
    inputs = ["req1", "req2", "req3"]
    outputs = ["open", "closed", "moving", "stopped", "at1", "at2", "at3"]

    def __init__(self):
        self.elevator = Elevator()

    def step(self, inputs):
        for button in inputs:
            self.elevator.call(int(button.removeprefix("req")))
        self.elevator.step()
        return self.indicators()

    def indicators(self):
        return [
            "open" if self.elevator.door_open else "closed",
            "moving" if self.elevator.moving else "stopped",
            f"at{self.elevator.floor}",
        ]

    def snapshot(self):
        return repr(self.elevator)


if __name__ == "__main__":
    serve(ElevatorSystem)
