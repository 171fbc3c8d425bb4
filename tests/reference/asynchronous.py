"""Walks through reference programs of asynchronous systems: who moves, when it is quiet, and where walks should not end."""
import contextlib
import io
from dataclasses import dataclass
from typing import Any, Callable

from common import Recording, compact, event_text, source

SILENCE = "silence"
FORESIGHT = 4  # how many steps ahead a dead end is seen
ATTEMPTS = 50  # walks tried for each one wanted, before giving up on different ones


@dataclass
class Instance:
    """One setup of a system, as its reference program plays it."""

    setup: str
    initial: Any
    moves: Callable[[Any], list]  # state -> [(label, next state, is it an output or an internal action?)]
    observe: Callable[[Any], dict]  # state -> {expression of the specification: value}


def record(system, out, instances, count, seed):
    """Writes `count` different walks of 5 to 15 steps through every instance."""
    chance = source(seed)
    recording = Recording(system, [instance.setup for instance in instances])
    for instance in instances:
        record_instance(recording, instance, count, chance)
    recording.write(out)


def record_instance(recording, instance, count, chance):
    seen = set()
    for _ in range(ATTEMPTS * count):
        recording.walk(instance.setup, instance.initial, chance.randint(5, 15),
                       lambda state: enabled(instance, state), instance.observe, lambda moves: draw(instance, moves, chance))
        text = compact(recording.traces[-1])
        if text in seen:
            recording.traces.pop()
        seen.add(text)
        if len(seen) == count:
            return
    raise SystemExit(f"{instance.setup}: found only {len(seen)} different walks of {count}")


def enabled(instance, state):
    """All moves, and silence where the system itself can do nothing."""
    moves = instance.moves(state)
    quiet = not any(own for _, _, own in moves)
    return [(label, target) for label, target, _ in moves] + ([(SILENCE, state)] if quiet else [])


def draw(instance, moves, chance):
    """Silence changes nothing and dead ends make dull walks, so both are drawn, but rarely."""
    others = [move for move in moves if move[0] != SILENCE]
    if not others or (len(others) < len(moves) and chance.random() < 0.08):
        return moves[-1]
    lively = [move for move in others if goes_on(instance, move[1], FORESIGHT)]
    return chance.choice(lively if lively and chance.random() < 0.9 else others)


def goes_on(instance, state, steps):
    return steps == 0 or any(goes_on(instance, target, steps - 1) for _, target, _ in instance.moves(state))


def quietly(run):
    """What `run()` returns and what it prints; some reference programs print while they are imported."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = run()
    return value, printed.getvalue()


def iosts(setup, model, places):
    """An instance made of a model of `iosts/iosts.py`; `places` names its locations as the specification does."""
    own = set(model.O + model.T)

    def label(event):
        text = event_text(*event)
        return f"internal {text}" if event[0] in model.T else text

    def moves(state):
        return [(label(event), target, event[0] in own) for event, target in model.succ(state)]

    def observe(state):
        location, variables = state
        return {**dict(variables), **{f"at {place}": location == key for key, place in places.items()}}

    (initial,) = model.states0()
    return Instance(setup, initial, moves, observe)
