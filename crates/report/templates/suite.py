"""Tests of @SYSTEM@, written by `interplay suite`. `SUT="python3 adapter.py" pytest THIS_FILE`, or run this file itself.

SUT is the command that starts the adapter (it speaks the adapter protocol), WAIT the seconds to wait for an output. An
implementation that does something else that the specification allows leaves the test: it is skipped, and says nothing.
"""
import json
import os
import queue
import shlex
import subprocess
import threading
import unittest

SUT = os.environ.get("SUT", @COMMAND@)
WAIT = float(os.environ.get("WAIT", "2"))


class Implementation:
    """One run of the adapter."""

    def __init__(self, settings):
        self.process = subprocess.Popen(
            shlex.split(SUT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
        )
        self.lines, self.waiting, self.number = queue.Queue(), [], 0
        threading.Thread(target=self.read, daemon=True).start()
        self.say({"type": "configure", "seed": 0, **settings})
        self.ask({"type": "reset"}, ["ready"])
        self.waiting.clear()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put({"type": "error", "message": "the adapter has ended"})

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def next(self, wait):
        try:
            message = self.lines.get(timeout=wait)
        except queue.Empty:
            return None
        if message["type"] == "error":
            raise RuntimeError(message["message"])
        return message

    def ask(self, message, kinds):
        """The answer; outputs that come before it are kept."""
        self.number += 1
        self.say({**message, "id": self.number})
        while True:
            answer = self.next(60)
            assert answer is not None, f"no answer to {message}"
            if answer["type"] == "output":
                self.waiting.append(answer)
            elif answer["type"] in kinds and answer.get("id") == self.number:
                return answer

    def output(self, wait):
        """The next output, or None if none comes."""
        while not self.waiting:
            message = self.next(wait)
            if message is None:
                return None
            if message["type"] == "output":
                return message
        return self.waiting.pop(0)

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(timeout=2)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


def same(wanted, seen, names):
    """Whether a value is the one that is wanted; objects are called as the implementation first called them."""
    if isinstance(wanted, dict) and "$object" in wanted:
        ours = wanted["$object"]
        if ours not in names and seen not in names.values():
            names[ours] = seen
        return names.get(ours) == seen
    if isinstance(wanted, dict):
        return isinstance(seen, dict) and all(key in seen and same(wanted[key], seen[key], names) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(seen, list) and len(wanted) == len(seen) and all(map(lambda a, b: same(a, b, names), wanted, seen))
    return wanted == seen


def theirs(value, names):
    if isinstance(value, dict):
        return names.get(value["$object"], value["$object"]) if "$object" in value else {
            key: theirs(each, names) for key, each in value.items()
        }
    return [theirs(each, names) for each in value] if isinstance(value, list) else value


def judge(output, wanted, also, names):
    """Goes on if the output is the wanted one; skips if it is another one that is allowed."""
    def fits(event):
        tried = dict(names)
        if output["action"] == event["action"] and same(event["args"], output.get("args", {}), tried):
            names.update(tried)
            return True
        return False

    if wanted is not None and fits(wanted):
        return
    if any(fits(event) for event in also):
        raise unittest.SkipTest(f"{output['action']} is allowed too, and leads elsewhere")
    raise AssertionError(f"{output['action']} {output.get('args', {})} is not allowed here; expected {wanted}")


def judge_step(seen, item, names):
    """The same for all outputs of a step or reaction, in any order."""
    def fits(events):
        tried, left = dict(names), list(seen)
        for event in events:
            fit = next((each for each in left if each["action"] == event["action"] and same(event["args"], each.get("args", {}), tried)), None)
            if fit is None:
                return False
            left.remove(fit)
        if not left:
            names.update(tried)
        return not left

    if fits(item["outputs"]):
        return
    if any(fits(events) for events in item["also"]):
        raise unittest.SkipTest(f"{seen} is allowed too, and leads elsewhere")
    raise AssertionError(f"{seen} is not allowed for {item.get('step', 'the input')}; expected {item['outputs']}")


def judge_result(result, item, names):
    """The same for what an input gives back."""
    known = dict(names)
    if same(item["result"], result, names):
        return
    if any(same(other, result, dict(known)) for other in item["results"]):
        raise unittest.SkipTest(f"{result} may be given back too, and leads elsewhere")
    raise AssertionError(f"{item['give']} must not give {result}; expected {item['result']}")


def play(settings, items):
    implementation, names = Implementation(settings), {}
    try:
        for item in items:
            if "step" in item:
                answer = implementation.ask({"type": "step", "inputs": theirs(item["step"], names)}, ["stepped"])
                judge_step(answer["outputs"], item, names)
                continue
            if "outputs" in item:
                most, seen = max(map(len, [item["outputs"], *item["also"]])), []
                while len(seen) < most and (output := implementation.output(WAIT)) is not None:
                    seen.append(output)
                judge_step(seen, item, names)
                continue
            also = item["also"]
            if "give" in item:
                args = theirs(item["give"]["args"], names)
                answer = implementation.ask({"type": "input", "action": item["give"]["action"], "args": args}, ["accepted", "refused"])
                for early in implementation.waiting:
                    judge(early, None, also, names)
                assert answer["type"] == "accepted", f"{item['give']} is refused: {answer.get('reason')}"
                if "result" in item:
                    judge_result(answer.get("result"), item, names)
                continue
            output = implementation.output(WAIT)
            wanted = item.get("see")
            if output is not None:
                judge(output, wanted, also, names)
            elif wanted is not None and item["quiet"]:
                raise unittest.SkipTest("nothing came, which is allowed too")
            else:
                assert wanted is None, f"nothing came; expected {wanted}"
    finally:
        implementation.close()


@TESTS@
if __name__ == "__main__":
    wrong = 0
    for name, test in [(name, each) for name, each in globals().items() if name.startswith("test_")]:
        try:
            test()
            print(f"ok    {name}")
        except unittest.SkipTest as reason:
            print(f"open  {name}: {reason}")
        except Exception as reason:
            wrong += 1
            print(f"wrong {name}: {reason}")
    raise SystemExit(1 if wrong else 0)
