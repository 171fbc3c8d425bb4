"""Scenarios of tags.play are tests, and so is what stands in `tests`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "sdk" / "python"))
pytest_plugins = ["pytest_interplay"]
