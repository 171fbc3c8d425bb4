"""The controller of an elevator: it goes on in one direction as long as somebody waits there, then turns round."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Direction(IntEnum):
    DOWN = -1
    UP = 1

    @property
    def opposite(self) -> Direction:
        return Direction(-self)


@dataclass
class Elevator:
    """One car. A step is as long as the way from one floor to the next."""

    floors: int = 3
    floor: int = 1
    door_open: bool = True
    moving: bool = False
    direction: Direction = Direction.UP
    waiting: set[int] = field(default_factory=set)

    def call(self, floor: int) -> None:
        """Somebody wants the car at this floor, or wants to go there."""
        if not 1 <= floor <= self.floors:
            raise ValueError(f"there is no floor {floor}")
        self.waiting.add(floor)

    def step(self) -> None:
        if self.moving:
            self._travel()
        elif self.door_open:
            self._leave_if_needed()
        elif self.floor in self.waiting:
            self._open()
        elif self.waiting:
            self._start()

    def _travel(self) -> None:
        self.floor += self.direction
        if self.floor in self.waiting:
            self._open()
        elif not self._somebody_ahead():
            self.moving = False

    def _leave_if_needed(self) -> None:
        if self.waiting <= {self.floor}:
            self.waiting.clear()  # Whoever called is in the car already.
        else:
            # A call for this floor that came just now stays, so that the car comes back.
            self._start()

    def _open(self) -> None:
        self.waiting.discard(self.floor)
        self.door_open = True
        self.moving = False

    def _start(self) -> None:
        if not self._somebody_ahead():
            self.direction = self.direction.opposite
        self.door_open = False
        self.moving = True

    def _somebody_ahead(self) -> bool:
        return any((floor - self.floor) * self.direction > 0 for floor in self.waiting)
