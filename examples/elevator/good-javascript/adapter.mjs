// Connects the elevator to Interplay: the buttons are its input signals, the indicators its output signals.

import { System, serve } from "../../../sdk/javascript/interplay.mjs";
import { Elevator } from "./elevator.mjs";

class ElevatorSystem extends System {
  static title = "elevator in JavaScript";
  static inputs = ["req1", "req2", "req3"];
  static outputs = ["open", "closed", "moving", "stopped", "at1", "at2", "at3"];
  elevator = new Elevator();

  step(inputs) {
    for (const button of Object.keys(inputs)) this.elevator.call(Number(button.slice("req".length)));
    this.elevator.step();
    return this.indicators();
  }

  indicators() {
    const { doorOpen, moving, floor } = this.elevator;
    return [doorOpen ? "open" : "closed", moving ? "moving" : "stopped", `at${floor}`];
  }

  snapshot() {
    const { floor, doorOpen, moving, direction, waiting } = this.elevator;
    return JSON.stringify({ floor, doorOpen, moving, direction, waiting: [...waiting].sort() });
  }
}

await serve(ElevatorSystem);
