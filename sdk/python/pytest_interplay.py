"""A plugin for pytest: scenarios of `.play` files become tests, and the fixture `oracle` judges yours.

Load it by `pytest_plugins = ["pytest_interplay"]` in `conftest.py`, or `pytest -p pytest_interplay`. Then

- every file `*.play` that pytest is given, or finds in its test folders, is a collection of tests: each scenario is played on the specification, or on the implementation that the option
  `interplay_sut` names (a command, an address, a binding);
- `oracle("door.play")` makes an `interplay_oracle.Oracle`; at the end of the test it says that nothing more comes.

In `pytest.ini` or `pyproject.toml`: `interplay_sut = "door.toml"`, `interplay_setup = "small"`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from interplay_oracle import NotJudged, Oracle


def pytest_addoption(parser):
    parser.addini("interplay_sut", "play scenarios on this implementation (as --sut of interplay)", default="")
    parser.addini("interplay_setup", "the setup of scenarios and oracles", default="")
    parser.getgroup("interplay").addoption("--interplay-sut", default=None, help="play scenarios on this implementation")


def pytest_collect_file(file_path, parent):
    return Specification.from_parent(parent, path=file_path) if file_path.suffix == ".play" else None


@pytest.fixture
def oracle(request):
    """Makes oracles: `oracle("door.play")`, beside the test; they end with the test."""
    made = []

    def make(specification, **options):
        setup = request.config.getini("interplay_setup")
        place = os.path.join(os.path.dirname(request.path), os.fspath(specification))
        made.append(Oracle(place, **({"setup": setup} if setup else {}), **options))
        return made[-1]

    yield make
    for each in made:
        each.end()


class Specification(pytest.File):
    """All scenarios of a file."""

    def collect(self):
        played = interplay(self.config, "scenario", "run", str(self.path))
        for scenario in played["scenarios"]:
            yield Scenario.from_parent(self, name=scenario["name"])


class Scenario(pytest.Item):
    def runtest(self):
        sut = self.config.getoption("--interplay-sut") or self.config.getini("interplay_sut")
        words = ["scenario", "run", str(self.path), self.name]
        done = run(self.config, *words, *(["--sut", sut] if sut else []))
        if done.returncode != 0:
            raise Failed(done.stdout + done.stderr)

    def repr_failure(self, excinfo):
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"scenario {self.name}"


class Failed(Exception):
    """What `interplay` said."""


def interplay(config, *words):
    done = run(config, *words, "--json")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise NotJudged(done.stderr or done.stdout) from None


def run(config, *words):
    program = os.environ.get("INTERPLAY") or shutil.which("interplay")
    if program is None:
        raise NotJudged("there is no program `interplay` in PATH; INTERPLAY may name it")
    setup = config.getini("interplay_setup")
    command = [program, *words, *(["--setup", setup] if setup else [])]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=config.rootpath)
