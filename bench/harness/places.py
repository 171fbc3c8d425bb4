"""Where things lie. All that is built, downloaded or recorded goes to `WORK`, which git does not see."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent
PEERS = HERE / "peers"
WORK = HERE / ".work"
RESULTS = WORK / "results.jsonl"
