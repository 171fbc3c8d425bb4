"""One run of one tool, measured: wall time, CPU time and peak memory of all its processes."""

import ctypes
import os
import signal
import subprocess
import tempfile
import time

from .building import Unavailable

LONGEST_SECONDS = 1200
MEMORY = 10 << 30  # bytes of address space that one run may take


def adopt_orphans():
    """Children of a tool that outlive it become ours (PR_SET_CHILD_SUBREAPER), so that nobody's time is forgotten."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def run(tool, name, size, threads, clock):
    """One run as a record; `error` says what went wrong, `differs` that the counts are not the expected ones."""
    record = dict(tool=name, model=size.model, setup=size.setup, scale=size.scale, threads=threads, time=time.time())
    seconds = clock.left(LONGEST_SECONDS)
    if seconds < 2:
        return dict(record, error="no time left")
    out = ""
    try:
        command, folder = tool.command(size, threads)
        measured, out = measure(command, folder, seconds, name != "tlc")
        record.update(measured, version=tool.version)
        if measured["status"] < 0:
            raise ValueError(f"ended after {measured['wall']:.0f} s by signal {-measured['status']}")
        record["states"], record["transitions"] = tool.parse(out)
        record.update({f"own_{key}": value for key, value in getattr(tool, "own", {}).items()})
        if (record["states"], record["transitions"]) != (size.states, size.transitions):
            record["differs"] = True
        elif measured["status"] != 0:
            raise ValueError(f"exit code {measured['status']}")
    except Unavailable as reason:
        record["error"] = str(reason)
    except Exception as error:  # whatever a tool prints, the others go on
        record["error"] = " | ".join([str(error) or repr(error), *out.strip().splitlines()[-1:]])[:300]
    return record


# The command becomes a child of a small shell, and an orphan at once: so its peak memory does not begin with that of this
# interpreter, from which it would otherwise be forked. It is the first to go if memory runs out.
LAUNCH = 'echo 1000 >/proc/self/oom_score_adj; test "$1" = 0 || ulimit -v "$1"; shift; "$@" & echo $! >&3'


def measure(command, folder, seconds, limited):
    """Wall time, CPU time and peak memory of a command with all its children, and what it printed."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+") as number:
        launch = f"exec 3>&{number.fileno()}; {LAUNCH}"
        before, start = busy(), time.monotonic()
        shell = subprocess.Popen(
            ["sh", "-c", launch, "sh", str(MEMORY // 1024 if limited else 0), *map(str, command)],
            cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True, pass_fds=[number.fileno()],
        )
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(shell.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        shell.wait()
        number.seek(0)
        main = int(number.read())
        cpu, peak, status, wall = 0.0, 0, None, 0.0
        while True:
            try:
                pid, ended, used = os.wait4(-shell.pid, 0)  # anybody of its group
            except ChildProcessError:
                break
            cpu, peak = cpu + used.ru_utime + used.ru_stime, max(peak, used.ru_maxrss)
            if pid == main:
                status, wall = os.waitstatus_to_exitcode(ended), time.monotonic() - start
        signal.setitimer(signal.ITIMER_REAL, 0)
        others = max(0.0, busy() - before - cpu) / max(wall, 1e-3) / os.cpu_count()
        out.seek(0)
        text = out.read()
    return dict(wall=wall, cpu=cpu, rss=peak * 1024, others=others, status=status), text


def busy():
    """CPU seconds that this machine has spent on anything."""
    ticks = [int(part) for part in open("/proc/stat").readline().split()[1:]]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / os.sysconf("SC_CLK_TCK")
