"""Connects an implementation to Interplay: describe it as a class, and `serve` speaks the adapter protocol for it.

    from interplay import Refused, System, input, serve

    class Lock(System):
        outputs = ["opened", "refused(mistakes)"]

        def __init__(self):                       # every reset makes a new one
            self.mistakes = 0

        @input
        def enter(self, code: int):               # may return a value, or raise Refused
            if code == 1234:
                self.emit("opened")
            else:
                self.mistakes += 1
                self.emit("refused", mistakes=self.mistakes)

    if __name__ == "__main__":
        serve(Lock)

A reset closes the present instance and makes a new one; what a retired instance still emits is dropped, so a thread that
is late cannot disturb the next run. `emit` may be called from any thread at any time. Outputs that are emitted while an
input is being handled are sent after its answer, those from a constructor after `ready`.

While `serve` runs, `print` writes to standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO, ClassVar, TypeVar, Union

__all__ = ["Refused", "System", "input", "serve"]

PROTOCOL = 1
Args = dict[str, Any]
Offer = Union[str, tuple[str, Args]]
Method = TypeVar("Method", bound=Callable[..., Any])


class Refused(Exception):
    """The system does not take this input now."""


def input(method: Method) -> Method:
    """Marks a method as an input of the system; its parameters are those of the action."""
    method.interplay_input = True  # type: ignore[attr-defined]
    return method


class System:
    """What an implementation looks like to Interplay. Each reset makes a new instance."""

    #: What Interplay calls it in reports; the name of the class if it is empty.
    name: ClassVar[str] = ""
    #: The outputs, with the names of their parameters: `["opened", "arrived(floor)"]`.
    outputs: ClassVar[Iterable[str]] = ()
    #: Inputs without a method of their own, for systems that have `step`: `["press(floor)", "tick"]`.
    inputs: ClassVar[Iterable[str]] = ()
    #: What Interplay said in `configure`: `setup`, `seed`, `constants`.
    settings: ClassVar[Mapping[str, Any]] = {}

    _outbox: ClassVar[Outbox]
    _retired = False

    def emit(self, action: str, /, **args: Any) -> None:
        """The system did this. Any thread, any time."""
        self._outbox.emit(self, action, args)

    def close(self) -> None:
        """Called before a reset and at the end: stop what this instance started."""

    # A synchronous system has the method
    #     step(self, inputs: dict[str, dict]) -> outputs
    # which takes all inputs of one step and returns all outputs: names, or a dictionary of names and arguments.
    #
    # Two more methods are optional: `enabled(self)` returns the names of the inputs that would be taken now (or pairs of a
    # name and arguments); `snapshot(self)` returns a string that names the present state.


def serve(system: type[System], *args: Any, read: BinaryIO | None = None, write: BinaryIO | None = None, **more: Any) -> None:
    """Speaks the protocol on standard input and output until it ends. Every reset makes a `system(*args, **more)`."""
    read, write = read or sys.stdin.buffer, write or sys.stdout.buffer
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        Session(system, lambda: system(*args, **more), write).run(read)
    except BrokenPipeError:
        pass  # Interplay is gone; there is nobody to tell.
    finally:
        sys.stdout = stdout


class Session:
    """One conversation."""

    def __init__(self, system: type[System], make: Callable[[], System], write: BinaryIO):
        self.system, self.make = system, make
        self.methods = inputs_of(system)
        self.inputs = {**declared(system.inputs), **{name: parameters(method) for name, method in self.methods.items()}}
        self.parameters = {name: set(parameters) for name, parameters in self.inputs.items()}
        self.outputs = declared(system.outputs)
        self.outbox = system._outbox = Outbox(write, self.outputs)
        self.present: System | None = None
        self.along = False  # Whether answers are to say what would be taken next.
        self.said: list[Offer] = []  # What they said last.
        self.written: dict[tuple[Offer, ...], str] = {}  # The same again and again.
        self.questions = {"input": self.input, "step": self.step, "enabled": self.enabled, "snapshot": self.snapshot}

    def run(self, read: BinaryIO) -> None:
        self.outbox.say(encode(self.hello()))
        try:
            for line in read:
                message, _ = DECODER.raw_decode(line.decode())
                kind = message.get("type")
                if kind == "bye":
                    break
                self.answer(kind, message)
        except BrokenPipeError:
            raise
        except Exception as problem:  # Whatever went wrong here is not a verdict on the system.
            self.outbox.say(encode({"type": "error", "message": f"{type(problem).__name__}: {problem}"}))
            raise
        finally:
            self.retire()

    def hello(self) -> Args:
        optional = [name for name in ("step", "enabled", "snapshot") if hasattr(self.system, name)]
        actions = [
            {"name": name, "direction": direction, "parameters": list(parameters)}
            for direction, group in (("input", self.inputs), ("output", self.outputs))
            for name, parameters in group.items()
        ]
        named = self.system.name
        # An input of the system may be called `name`.
        name = named if isinstance(named, str) and named else self.system.__name__
        return {"type": "hello", "name": name, "protocol": PROTOCOL, "features": ["ahead", *optional], "actions": actions}

    def answer(self, kind: str, message: Args) -> None:
        question = self.questions.get(kind)
        if question is not None:
            if self.present is None:
                raise RuntimeError(f"{kind} before the first reset")
            self.outbox.hold()
            self.outbox.say(question(self.present, message))
        elif kind == "reset":
            ready: Args = {"type": "ready", "id": message["id"]}
            if self.along and self.present is not None:
                ready["before"] = names(self.present.enabled())  # type: ignore[attr-defined]
            self.retire()
            self.outbox.hold()
            self.present = self.make()
            ready["time"] = now()
            self.outbox.say(self.offering(self.present, ready))
        elif kind == "configure":
            self.system.settings = {key: value for key, value in message.items() if key != "type"}
            self.along = bool(message.get("enabled")) and hasattr(self.system, "enabled")

    def input(self, system: System, message: Args) -> bytes:
        answer: Args = {"type": "accepted", "id": message["id"]}
        if self.along and (before := list(system.enabled())) != self.said:  # type: ignore[attr-defined]
            answer["before"] = names(before)  # It changed on its own.
        action, args = message["action"], message.get("args") or {}
        try:
            method = self.methods.get(action)
            if method is None:
                raise Refused(f"there is no input {action}")
            if args.keys() != self.parameters[action]:
                raise Refused(f"{action} takes {list(self.inputs[action])}, not {list(args)}")
            result = method(system, **args)
            if result is not None:
                answer["result"] = result
        except Refused as reason:
            answer.update(type="refused", reason=str(reason))
        return self.offering(system, answer)

    def offering(self, system: System, answer: Args) -> bytes:
        """The answer, and what would be taken after it if Interplay wants to know that."""
        if not self.along:
            return encode(answer)
        self.said = list(system.enabled())  # type: ignore[attr-defined]
        return f'{write(answer)[:-1]},"enabled":{self.write_offers(self.said)}}}\n'.encode()

    def write_offers(self, enabled: list[Offer]) -> str:
        try:
            return self.written[tuple(enabled)]
        except (KeyError, TypeError):  # New, or with arguments.
            text = ENCODER.encode(offers(enabled))
            if len(self.written) < 1000 and all(isinstance(each, str) for each in enabled):
                self.written[tuple(enabled)] = text
            return text

    def step(self, system: System, message: Args) -> bytes:
        inputs = {event["action"]: event.get("args") or {} for event in message["inputs"]}
        try:
            unknown = [name for name in inputs if name not in self.inputs]
            if unknown:
                raise Refused(f"there is no input {unknown[0]}")
            outputs = system.step(inputs) or {}  # type: ignore[attr-defined]
        except Refused as reason:
            return encode({"type": "refused", "id": message["id"], "reason": str(reason)})
        pairs = outputs.items() if isinstance(outputs, Mapping) else ((name, {}) for name in outputs)
        events = [{"action": name, "args": check_output(self.outputs, name, args)} for name, args in pairs]
        return encode({"type": "stepped", "id": message["id"], "outputs": events})

    def enabled(self, system: System, message: Args) -> bytes:
        enabled = system.enabled()  # type: ignore[attr-defined]
        events = [{"action": each} if isinstance(each, str) else each for each in offers(enabled)]
        return encode({"type": "enabled", "id": message["id"], "events": events})

    def snapshot(self, system: System, message: Args) -> bytes:
        state = str(system.snapshot())  # type: ignore[attr-defined]
        return encode({"type": "snapshot", "id": message["id"], "state": state})

    def retire(self) -> None:
        if self.present is not None:
            self.present._retired = True
            self.present.close()
            self.present = None


def now() -> int:
    """Microseconds of a clock that never goes back."""
    return time.monotonic_ns() // 1000


class Outbox:
    """The way out, shared by all threads. While an answer is being found, outputs wait for it."""

    def __init__(self, write: BinaryIO, outputs: Mapping[str, tuple[str, ...]]):
        self.write, self.outputs = write, outputs
        self.lock = threading.RLock()
        self.waiting: list[bytes] | None = None

    def emit(self, system: System, action: str, args: Args) -> None:
        moment = now()
        args = check_output(self.outputs, action, args)
        line = encode({"type": "output", "action": action, "args": args, "time": moment})
        with self.lock:
            if system._retired:
                return
            if self.waiting is not None:
                self.waiting.append(line)
            else:
                self.put(line)

    def say(self, line: bytes) -> None:
        """An answer, which comes before all outputs that wait."""
        with self.lock:
            waiting, self.waiting = self.waiting, None
            self.put(b"".join([line, *waiting]) if waiting else line)

    def hold(self) -> None:
        """Outputs wait until the answer is said."""
        with self.lock:
            self.waiting = []

    def put(self, data: bytes) -> None:
        self.write.write(data)
        self.write.flush()


def offers(enabled: Iterable[Offer]) -> list[str | Args]:
    """What would be taken: names, or names with arguments."""
    return [each if isinstance(each, str) else {"action": each[0], "args": each[1]} for each in enabled]


def names(enabled: Iterable[Offer]) -> list[str]:
    return [each if isinstance(each, str) else each[0] for each in enabled]


def inputs_of(system: type[System]) -> dict[str, Callable[..., Any]]:
    """In the order in which they are written."""
    members = {name: member for base in reversed(system.__mro__) for name, member in vars(base).items()}
    return {name: method for name, method in members.items() if hasattr(method, "interplay_input")}


def parameters(method: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(method).parameters)[1:]


def declared(actions: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """`["arrived(floor)", "opened"]` by name."""
    if isinstance(actions, str):
        raise TypeError("`inputs` and `outputs` are lists of actions, not one string")
    return dict(signature(action) for action in actions)


def signature(action: str) -> tuple[str, tuple[str, ...]]:
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", action)
    if match is None:
        raise ValueError(f"`{action}` is no action: write `opened` or `arrived(floor)`")
    return match[1], tuple(name.strip() for name in (match[2] or "").split(",") if name.strip())


def check_output(outputs: Mapping[str, tuple[str, ...]], action: str, args: Args) -> Args:
    """A mistake in an adapter is best found where it is made."""
    if action not in outputs:
        raise ValueError(f"`{action}` is not declared in `outputs`")
    if set(args) != set(outputs[action]):
        raise ValueError(f"`{action}` has the parameters {list(outputs[action])}, not {list(args)}")
    return args


def plain(value: Any) -> Any:
    """Python values that JSON does not have."""
    if isinstance(value, enum.Enum):
        return value.name
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise TypeError(f"{value!r} is no value that Interplay knows: use numbers, strings, lists, dictionaries")


# Made once: `json.dumps` and `json.loads` would look at their options for every message.
DECODER = json.JSONDecoder()
ENCODER = json.JSONEncoder(separators=(",", ":"), default=plain)


def encode(message: Args) -> bytes:
    return write(message).encode() + b"\n"


def write(message: Args) -> str:
    if len(message) == 2 and "id" in message:  # Most answers; by hand because there are so many of them.
        return f'{{"type":"{message["type"]}","id":{message["id"]}}}'
    return ENCODER.encode(message)
