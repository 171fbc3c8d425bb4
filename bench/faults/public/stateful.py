"""Runs a state machine of Hypothesis as `bench/finding` runs Interplay, and tells how soon it failed and how small it was made.

    python3 NAME_hypothesis.py SEED RUNS STEPS

One line of JSON: steps, runs and seconds until the first failure, the length of the shrunk failure, what it was, and the seconds in all.
"""

import functools
import json
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings, stateful
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

__all__ = ["Machine", "main", "rule"]


class Count:
    """Of all runs up to the first failure, and of the present run."""

    steps = runs = length = 0
    began = time.monotonic()
    found = None


class Machine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        Count.length = 0
        if Count.found is None:
            Count.runs += 1


def rule(**arguments):
    """As `hypothesis.stateful.rule`; each call is a step."""

    def decorate(function):
        @functools.wraps(function)
        def step(*args, **kwargs):
            Count.length += 1
            if Count.found is None:
                Count.steps += 1
            try:
                return function(*args, **kwargs)
            except Exception:
                if Count.found is None:
                    Count.found = time.monotonic() - Count.began
                raise

        return stateful.rule(**arguments)(step)

    return decorate


def main(machine):
    number, runs, steps = map(int, sys.argv[1:4])
    chosen = settings(
        max_examples=runs, stateful_step_count=steps, database=None, deadline=None, verbosity=Verbosity.quiet,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        run_state_machine_as_test(seed(number)(machine), settings=chosen)
    except Exception as problem:
        if Count.found is None:
            raise
        last = traceback.extract_tb(problem.__traceback__)[-1]
        told = {"found": True, "seconds": Count.found, "length": Count.length}
        told["why"] = f"{type(problem).__name__}: {problem} at {last.name}"
    else:
        told = {"found": False}
    told |= {"steps": Count.steps, "runs": Count.runs, "all": time.monotonic() - Count.began}
    print(json.dumps(told))
