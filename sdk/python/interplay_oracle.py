"""An oracle for your own tests: they drive the system, Interplay judges what happened.

    from interplay_oracle import Oracle

    def test_the_door():
        with Oracle("door.play") as oracle:
            door = Door()
            door.push()
            oracle.input("push")
            oracle.output("opened", floor=3)
            oracle.silence()                       # nothing more came

Each call raises `Forbidden` (an `AssertionError`) at once if no rule of the specification allows the event, with the possible states, what they would have allowed, and the condition
that said no; and so does a property that is violated. Leaving the `with` block, or `end`, also tells what is only known at the end. An input that returns something is told with its
result: `oracle.input("pop", result=door.pop())`; one whose result is not known yet is told when it is.

One `interplay monitor` judges all oracles of a specification; it is started when the first is made, and ends with Python.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

__all__ = ["Forbidden", "NotJudged", "Oracle"]

#: Seconds. The program judges a step in far less.
PATIENCE = 60
#: The line that the program hears back when everything before it is judged.
QUESTION = '{"type":"judged?"}'
#: How the answer begins, behind what there is to say.
ANSWER = '{"type":"judged"'
#: More tests than this are not judged by one process.
MOST = 1_000_000


class Forbidden(AssertionError):
    """Something happened that the specification does not allow, or a property is violated."""


class NotJudged(RuntimeError):
    """There is no verdict: the specification has a mistake, the program is missing, or an event is none of it."""


class Judge:
    """A process that judges all conversations about one specification."""

    running: dict[tuple, "Judge"] = {}
    lock = threading.Lock()

    @classmethod
    def of(cls, words: tuple) -> "Judge":
        with cls.lock:
            judge = cls.running.get(words)
            if judge is None or judge.process.poll() is not None:
                judge = cls.running[words] = Judge(words)
            return judge

    def __init__(self, words: tuple) -> None:
        program = os.environ.get("INTERPLAY") or shutil.which("interplay")
        if program is None:
            raise NotJudged("there is no program `interplay` in PATH; INTERPLAY may name it")
        command = [program, "monitor", words[0], "tcp://127.0.0.1:0", "--connections", str(MOST), *words[1:]]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **quiet)
        atexit.register(self.stop)
        said = []
        for line in self.process.stderr:
            said.append(line)
            _, found, address = line.partition("waiting for a connection at tcp://")
            if found:
                host, _, port = address.strip().rpartition(":")
                self.address = (host, int(port))
                break
        else:
            raise NotJudged("".join(said).strip() or "`interplay monitor` ended at once")
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self) -> None:
        for _ in self.process.stderr:
            pass

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()


class Oracle:
    """One conversation with a system, from its initial state on.

    `setup`, `properties` and `unlogged` (actions that your test does not see) are those of `interplay monitor`.
    """

    def __init__(self, specification: "str | os.PathLike[str]", setup: "str | None" = None, properties: tuple = (), unlogged: tuple = ()) -> None:
        words = [os.fspath(specification)]
        words += ["--setup", setup] if setup else []
        words += [word for name in properties for word in ("--property", name)]
        words += [word for name in unlogged for word in ("--unlogged", name)]
        self.link = socket.create_connection(Judge.of(tuple(words)).address, PATIENCE)
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.lines = self.link.makefile("r", encoding="utf-8")
        self.ended = False

    def input(self, action: str, /, *, result: Any = None, **args: Any) -> None:
        """The system took this input."""
        self.event(action, args, result)

    def output(self, action: str, /, **args: Any) -> None:
        """The system did this."""
        self.event(action, args, None)

    def event(self, action: str, args: "dict[str, Any]", result: Any = None) -> None:
        told = {"action": action, "args": args, "time": time.monotonic_ns() // 1000}
        self.tell(told if result is None else {**told, "result": result})

    def reset(self) -> None:
        """The system is in its initial state again."""
        self.tell({"type": "reset"})

    def silence(self) -> None:
        """The system rests: it owes nothing."""
        self.tell({"type": "silence"})

    def end(self) -> None:
        """Nothing more comes. Raises what is only known now."""
        if not self.ended:
            self.ended = True
            self.link.shutdown(socket.SHUT_WR)
            self.hear()
            self.close()

    def close(self) -> None:
        """Leaves without asking for more."""
        self.ended = True
        self.lines.close()
        self.link.close()

    def tell(self, message: "dict[str, Any]") -> None:
        if self.ended:
            raise NotJudged("the conversation is over")
        self.link.sendall(f"{json.dumps(message)}\n{QUESTION}\n".encode())
        self.hear(message)

    def hear(self, message: "dict[str, Any] | None" = None) -> None:
        said = []
        for line in self.lines:
            if not line.startswith(ANSWER):
                said.append(line)
                continue
            judged, text = json.loads(line), "".join(said).rstrip()
            if not (judged["violated"] or judged["unread"]):
                return
            self.close()
            if judged["violated"]:
                raise Forbidden("\n" + text)
            raise NotJudged(text or f"the specification cannot read {json.dumps(message)}")
        self.close()
        raise NotJudged("".join(said) or "`interplay monitor` ended")

    def __enter__(self) -> "Oracle":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        # What went wrong in the test itself is not hidden behind what follows from it.
        self.end() if kind is None else self.close()
