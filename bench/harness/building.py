"""Runs the commands of a build within the time that is left."""

import os
import signal
import subprocess
import tempfile
import time

LONGEST_SECONDS = 1800
RESERVED_SECONDS = 110  # of a limited time, not for builds


class Unavailable(Exception):
    """Why a tool cannot be run here."""


class Clock:
    """How much time is left, if there is a limit."""

    def __init__(self, limit):
        self.end = time.monotonic() + limit if limit else None

    def left(self, most, reserve=0):
        return most if self.end is None else min(most, self.end - time.monotonic() - reserve)


def build(clock, command, folder, reserve=RESERVED_SECONDS):
    """Runs a command of a build and returns what it printed; says why it failed."""
    seconds = clock.left(LONGEST_SECONDS, reserve)
    if seconds <= 0:
        raise Unavailable("no time left to build it; run again, or without --quick")
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        try:
            child = subprocess.Popen(
                list(map(str, command)), cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            )
        except OSError:
            raise Unavailable(f"`{command[0]}` is not installed") from None
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            end(child)
            raise Unavailable(f"not built within {seconds:.0f} s; run again (it continues where it stopped)") from None
        out.seek(0)
        text = out.read()
    if child.returncode != 0:
        last = [line for line in text.splitlines() if line.strip()][-3:]
        raise Unavailable(f"`{' '.join(map(str, command[:4]))} ...` failed: {' | '.join(last)}")
    return text


def end(child):
    """Ends a process with all of its group, and waits for those that become our children by that."""
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    while True:
        try:
            os.waitpid(-child.pid, 0)
        except ChildProcessError:
            return
