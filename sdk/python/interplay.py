"""Connects an implementation to Interplay: describe it as a class, and `serve` speaks the adapter protocol for it.

    from interplay import Refused, System, input, serve

    class Lock(System):
        outputs = ["opened", "refused(mistakes)"]

        def __init__(self):                       # every reset makes a new one
            self.mistakes = 0

        @input
        def enter(self, code: int):               # may return a value, or raise an exception
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

An exception that comes out of an input is a crash of the system, and a failure: Interplay is told its type, text and place.
`Refused` is none: the system does not take the input now, and Interplay judges whether that is right. Nor is an exception that the
specification names (`input withdraw(n: Int) raises Overdrawn`), by its type or a more general one. One that has another name there stands in
`raises`, with the result that it means:

    class Account(System):
        raises = {Overdrawn: "overdrawn", Busy: Refused}     # input withdraw(n: Int) -> Outcome

A mistake of the adapter itself (an output that was not declared, a result that cannot be written, a name in its file that does not exist,
an exception in `close`) is no verdict on the system: it ends the test, and is told with its place.

While `serve` runs, `print` writes to standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import keyword
import re
import os
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, BinaryIO, ClassVar, TypeVar, Union, get_type_hints

__all__ = ["Refused", "System", "input", "serve"]

PROTOCOL = 1
KINDS = {bool: "boolean", int: "integer", str: "string", list: "array", tuple: "array", set: "array", dict: "object"}
Args = dict[str, Any]
Offer = Union[str, tuple[str, Args]]
Method = TypeVar("Method", bound=Callable[..., Any])


class Refused(Exception):
    """The system does not take this input now."""


class Unwritable(Exception):
    """A value that JSON does not have."""


class Mistake(Exception):
    """The adapter is wrong; this says nothing about the system."""


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
    #: Exceptions that belong to the contract, each with the result that it means, or `Refused`.
    raises: ClassVar[Mapping[type[BaseException], Any]] = {}
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
    except Mistake:
        sys.exit(1)  # Interplay was told.
    except BrokenPipeError:
        pass  # Interplay is gone; there is nobody to tell.
    finally:
        sys.stdout = stdout


class Session:
    """One conversation."""

    def __init__(self, system: type[System], make: Callable[[], System], write: BinaryIO):
        self.system, self.make = system, make
        # An input of the system may be called `raises`.
        self.contract = system.raises if isinstance(system.raises, Mapping) else {}
        self.outbox = system._outbox = Outbox(write, {})
        try:
            self.methods = inputs_of(system)
            self.spellings = {name: spellings(method) for name, method in self.methods.items()}
            methods = {name: parameters(method) for name, method in self.methods.items()}
            self.inputs = {**declared(system.inputs), **methods}
            self.outputs = self.outbox.outputs = declared(system.outputs)
            check_class(system, self.methods, self.contract)
        except Mistake as mistake:
            self.outbox.give_up(mistake)
            raise
        self.parameters = {name: set(parameters) for name, parameters in self.inputs.items()}
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
            self.outbox.give_up(problem)
            raise
        finally:
            self.retire()

    def hello(self) -> Args:
        optional = [name for name in ("step", "enabled", "snapshot") if hasattr(self.system, name)]
        actions = [
            {"name": name, "direction": direction, "parameters": list(parameters), **self.kinds(name)}
            for direction, group in (("input", self.inputs), ("output", self.outputs))
            for name, parameters in group.items()
        ]
        named = self.system.name
        # An input of the system may be called `name`.
        name = named if isinstance(named, str) and named else self.system.__name__
        return {"type": "hello", "name": name, "protocol": PROTOCOL, "features": ["ahead", *optional], "actions": actions}

    def kinds(self, name: str) -> Args:
        """What the annotations of an input say, in words of JSON."""
        method = self.methods.get(name)
        if method is None:
            return {}
        try:
            hints = get_type_hints(method)
        except Exception:  # Annotations may name what is not there.
            return {}
        kinds = {of: KINDS[hint] for of, hint in hints.items() if isinstance(hint, type) and hint in KINDS}
        result = kinds.pop("return", None)
        return {**({"types": kinds} if kinds else {}), **({"result": result} if result else {})}

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
            if spelt := self.spellings[action]:
                args = {spelt.get(name, name): value for name, value in args.items()}
            result = method(system, **args)
        except (Mistake, BrokenPipeError):
            raise
        except Exception as problem:
            outcome = self.outcome(problem)
            if isinstance(outcome, Refused):
                answer.update(type="refused", reason=str(outcome))
                return self.offering(system, answer)
            if outcome is problem:
                expected = self.system.settings.get("raises", ())
                if slip := slip_of(problem, system, expected):
                    raise Mistake(slip) from problem
                return raised(message["id"], problem, expected)
            result = outcome
        if result is not None:
            answer["result"] = result
        try:
            return self.offering(system, answer)
        except Unwritable as problem:
            raise Mistake(f"the result of `{action}` {problem} ({place_of(method)})") from None

    def outcome(self, problem: Exception) -> Any:
        """What an exception means by the contract: a result, a refusal, or itself."""
        if isinstance(problem, Refused):
            return problem
        for kind, result in self.contract.items():
            if isinstance(problem, kind):
                return Refused(describe(problem)) if result is Refused else result
        return problem

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
        except (Mistake, BrokenPipeError):
            raise
        except Exception as problem:
            if slip := slip_of(problem, system):
                raise Mistake(slip) from problem
            return raised(message["id"], problem)
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
        present, self.present = self.present, None
        if present is None:
            return
        present._retired = True
        try:
            present.close()
        except Mistake:
            raise
        except Exception as problem:
            where = place(traceback.extract_tb(problem.__traceback__))
            mistake = Mistake(f"`close` failed, which says nothing about the system: {describe(problem)} ({where})")
            self.outbox.give_up(mistake)
            raise mistake from problem


def now() -> int:
    """Microseconds of a clock that never goes back."""
    return time.monotonic_ns() // 1000


class Outbox:
    """The way out, shared by all threads. While an answer is being found, outputs wait for it."""

    def __init__(self, write: BinaryIO, outputs: Mapping[str, tuple[str, ...]]):
        self.write, self.outputs = write, outputs
        self.lock = threading.RLock()
        self.waiting: list[bytes] | None = None
        self.gave_up = False

    def emit(self, system: System, action: str, args: Args) -> None:
        moment = now()
        try:
            args = check_output(self.outputs, action, args)
            line = encode({"type": "output", "action": action, "args": args, "time": moment})
        except (Mistake, Unwritable) as problem:
            # Told at once: whoever called may catch the exception, or be a thread of its own.
            mistake = problem if isinstance(problem, Mistake) else Mistake(f"an argument of `{action}` {problem}")
            self.give_up(mistake, traceback.extract_stack())
            raise mistake from None
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

    def give_up(self, problem: Exception, stack: traceback.StackSummary | None = None) -> None:
        """The adapter cannot go on, with the place where that was found."""
        if self.gave_up:
            return
        self.gave_up = True
        where = place(stack if stack is not None else traceback.extract_tb(problem.__traceback__))
        text = str(problem) if isinstance(problem, Mistake) else describe(problem)
        with self.lock:
            self.waiting = None
            self.put(encode({"type": "error", "message": f"{text} ({where})" if where else text}))

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
    return {spoken(name): method for name, method in members.items() if hasattr(method, "interplay_input")}


def spoken(name: str) -> str:
    """`from_` and `close_` stand for `from` and `close`, names which Python or this kit needs itself."""
    short = name.removesuffix("_")
    taken = keyword.iskeyword(short) or hasattr(System, short) or short in ("self", "step", "enabled", "snapshot", "input", "serve")
    return short if taken else name


def parameters(method: Callable[..., Any]) -> tuple[str, ...]:
    """Each has a name, because arguments are given by name."""
    own, *others = inspect.signature(method).parameters.values() or [None]
    unnamed = [str(each) for each in others if each.kind not in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    if own is None or unnamed:
        problem = f"takes {unnamed[0]}" if unnamed else "has no `self`"
        raise Mistake(f"the input `{method.__name__}` {problem}: give every parameter of the action by name ({place_of(method)})")
    return tuple(spoken(each.name) for each in others)


def spellings(method: Callable[..., Any]) -> dict[str, str]:
    """Parameters whose names are spelt another way in Python."""
    names = list(inspect.signature(method).parameters)[1:]
    return {spoken(name): name for name in names if spoken(name) != name}


def check_class(system: type[System], methods: Mapping[str, Callable[..., Any]], contract: Mapping[Any, Any]) -> None:
    """What is wrong with an adapter is best found before the first run."""
    unheard = [name for name in declared(system.inputs) if name not in methods]
    if unheard and not hasattr(system, "step"):
        raise Mistake(f"the input `{unheard[0]}` has no method: write one with @input, or `step` for a synchronous system")
    both = [name for name in methods if name in declared(system.outputs)]
    if both:
        raise Mistake(f"`{both[0]}` is an input and an output ({place_of(methods[both[0]])})")
    odd = [kind for kind in contract if not (isinstance(kind, type) and issubclass(kind, BaseException))]
    if odd:
        raise Mistake(f"`raises` has {odd[0]!r}, which is no type of exceptions")


def raised(id: int, problem: Exception, expected: Collection[str] = ()) -> bytes:
    """An exception that nobody caught came out of an input. One that the specification does not name is also for the log."""
    kinds = [kind.__name__ for kind in type(problem).__mro__[:-1]]
    if not any(kind in expected for kind in kinds):
        traceback.print_exception(type(problem), problem, problem.__traceback__)
    where = place(traceback.extract_tb(problem.__traceback__))
    message = {"error": kinds[0], "kinds": kinds[1:], "message": str(problem), "place": where}
    return encode({"type": "raised", "id": id, **message})


def slip_of(problem: Exception, system: System, expected: Collection[str] = ()) -> str:
    """A slip of the adapter, in words: a name that is not there, or a call with other arguments, written in its own file. Empty if it may be
    the system's, or if the specification names the exception."""
    frames = traceback.extract_tb(problem.__traceback__)
    modules = [sys.modules.get(kind.__module__) for kind in type(system).__mro__[:-1] if kind is not System]
    files = {os.path.abspath(file) for module in modules if (file := getattr(module, "__file__", None))}
    if not frames or os.path.abspath(frames[-1].filename) not in files:
        return ""
    unknown = isinstance(problem, (NameError, ImportError)) or isinstance(problem, AttributeError) and (
        getattr(problem, "obj", None) is system or inspect.ismodule(getattr(problem, "obj", None))
    )
    miscalled = isinstance(problem, TypeError) and MISCALLED.search(str(problem))
    if not (unknown or miscalled) or any(kind.__name__ in expected for kind in type(problem).__mro__):
        return ""
    return f"a mistake in the adapter, not in the system: {describe(problem)} ({place(frames)})"


def describe(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__


def place(frames: Iterable[traceback.FrameSummary]) -> str:
    """The innermost place that is neither this file nor Python's own library; as seen from the present folder."""
    frames = [frame for frame in frames if os.path.abspath(frame.filename) != os.path.abspath(__file__)]
    own = [frame for frame in frames if not is_pythons(frame.filename)]
    if not frames:
        return ""
    frame = (own or frames)[-1]
    return f"{shown(frame.filename)}:{frame.lineno}"


def is_pythons(file: str) -> bool:
    inside = file.startswith(sysconfig.get_paths()["stdlib"]) or file.startswith("<frozen")
    return inside and "site-packages" not in file


def shown(file: str) -> str:
    below = os.path.relpath(file)
    return os.path.join(*file.split(os.sep)[-2:]) if below.startswith("..") else below


def place_of(method: Callable[..., Any]) -> str:
    code = getattr(inspect.unwrap(method), "__code__", None)
    return f"{shown(code.co_filename)}:{code.co_firstlineno}" if code else ""


def declared(actions: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """`["arrived(floor)", "opened"]` by name."""
    if isinstance(actions, str):
        raise Mistake("`inputs` and `outputs` are lists of actions, not one string")
    return dict(signature(action) for action in actions)


def signature(action: str) -> tuple[str, tuple[str, ...]]:
    match = re.fullmatch(r"\s*([^\s(),]+)\s*(?:\((.*)\))?\s*", action)
    if match is None:
        raise Mistake(f"`{action}` is no action: write `opened` or `arrived(floor)`")
    return match[1], tuple(name.strip() for name in (match[2] or "").split(",") if name.strip())


def check_output(outputs: Mapping[str, tuple[str, ...]], action: str, args: Args) -> Args:
    """A mistake in an adapter is best found where it is made."""
    if action not in outputs:
        raise Mistake(f"the output `{action}` is not declared in `outputs`")
    if set(args) != set(outputs[action]):
        raise Mistake(f"the output `{action}` has the parameters {list(outputs[action])}, not {list(args)}")
    return args


def plain(value: Any) -> Any:
    """Python values that JSON does not have."""
    if isinstance(value, enum.Enum):
        return value.name
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise Unwritable(f"cannot be written: {value!r} is no value that Interplay knows; use numbers, strings, lists, dictionaries")


#: How Python says that a call does not fit its function.
MISCALLED = re.compile(r"unexpected keyword argument|required (positional|keyword-only) argument|takes .*positional argument|multiple values for")

# Made once: `json.dumps` and `json.loads` would look at their options for every message.
DECODER = json.JSONDecoder()
ENCODER = json.JSONEncoder(separators=(",", ":"), default=plain)


def encode(message: Args) -> bytes:
    return write(message).encode() + b"\n"


def write(message: Args) -> str:
    if len(message) == 2 and "id" in message:  # Most answers; by hand because there are so many of them.
        return f'{{"type":"{message["type"]}","id":{message["id"]}}}'
    return ENCODER.encode(message)
