"""git driven by our own test; the specification judges what it did."""

import os
import subprocess

import pytest


class Repository:
    def __init__(self, place):
        self.place = place
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        names = {f"GIT_{who}_{what}": "ann@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {**os.environ, **names, "GIT_CONFIG_GLOBAL": "/dev/null"}
        return subprocess.run(["git", *words], cwd=self.place, capture_output=True, text=True, check=False, env=environment)

    def commit(self):
        self.git("commit", "-q", "--allow-empty", "-m", "more").check_returncode()

    def tag(self, name, force=False):
        done = self.git("tag", *(["--force"] if force else []), name)
        return "exists" if "already exists" in done.stderr else "done"

    def age(self, name):
        done = self.git("rev-list", "--count", name, "--")
        return int(done.stdout) if done.returncode == 0 else None


@pytest.mark.parametrize("force", [False, True])
def test_a_tag_that_exists(tmp_path, oracle, force):
    judge, git = oracle("../tags.play"), Repository(tmp_path)
    judge.input("tag", name="v1", force=False, result=git.tag("v1"))
    git.commit()
    judge.input("commit")
    judge.input("tag", name="v1", force=force, result=git.tag("v1", force))
    judge.input("age", name="v1", result=git.age("v1"))


def test_what_the_oracle_says(oracle):
    judge = oracle("../tags.play")
    with pytest.raises(AssertionError, match="tag"):
        judge.input("tag", name="v1", force=False, result="exists")
