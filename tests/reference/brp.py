"""Records random traces of the sender of the bounded retransmission protocol: as printed (`iosts/brp.py`, `brp.jsonl`)
and completed by what a late ACK does (`iosts/brp_complete.py`, `brp_complete.jsonl`)."""
import importlib
import sys

from asynchronous import iosts, quietly, record
from common import prepare

OUT = prepare("brp", "iosts")
PLACES = {place: place for place in ("Wait_Req", "Send", "Wait_Ack", "Send_Complete")}


def load(module, max_sent, chunks):
    """The reference reads its two bounds from the command line while it is imported."""
    for name in ("brp", "brp_complete"):
        sys.modules.pop(name, None)
    sys.argv = ["brp", str(max_sent), str(chunks)]
    return quietly(lambda: importlib.import_module(module))[0]


printed = [
    iosts("two_chunks", load("brp", 2, 2).sender, PLACES),
    iosts("three_chunks", load("brp", 3, 3).sender, PLACES),
]
completed = [iosts("two_chunks", load("brp_complete", 2, 2).spec, PLACES)]

record("brp", OUT, printed, count=600, seed=1004)
record("brp_complete", OUT.with_name("brp_complete.jsonl"), completed, count=1100, seed=1005)
