"""Builds the wheel: maturin, and before it the manual pages and completions, which the program itself writes."""

import os
import shutil
import subprocess
from pathlib import Path

from maturin import *  # noqa: F403  the hooks that are not changed here
from maturin import build_wheel as plain_wheel

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# What lies in `data` here is installed under the prefix of the environment.
SHARE = ROOT / "target" / "wheel-data" / "data" / "share"
COMPLETIONS = {
    "bash": "bash-completion/completions/interplay",
    "fish": "fish/vendor_completions.d/interplay.fish",
    "zsh": "zsh/site-functions/_interplay",
}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    program = build()
    shutil.rmtree(SHARE, ignore_errors=True)
    pages = SHARE / "man" / "man1"
    pages.mkdir(parents=True)
    subprocess.run([program, "man", "--out", pages], check=True)
    for shell, place in COMPLETIONS.items():
        script = SHARE / place
        script.parent.mkdir(parents=True)
        script.write_bytes(subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout)
    return plain_wheel(wheel_directory, config_settings, metadata_directory)


def build():
    """The same build that maturin asks for, so that it finds it done."""
    manifest = ROOT / "crates" / "app" / "Cargo.toml"
    subprocess.run(["cargo", "build", "--release", "--locked", "--manifest-path", manifest, "--bins"], check=True)
    return TARGET / "release" / ("interplay.exe" if os.name == "nt" else "interplay")
