"""Records random traces of the reference protection switch (`ltl/aps.py`, without a mutation)."""
from common import Recording, Variant, prepare, source, step_text

OUT = prepare("aps", "ltl")
import aps as reference  # noqa: E402  (the reference program; it is found only after `prepare`)

TRACES = 1200
SETUP = "one_signal_per_step"
QUALITY = {"N": "normal", "D": "degraded", "F": "failed"}
REQUEST = {"f": "force", "c": "conditional"}


def enabled(state):
    """At most one input in a step."""
    return [move(state, inputs) for inputs in reference.letters_in]


def move(state, inputs):
    following, outputs = reference.step(state, inputs)
    return step_text(sorted(inputs), outputs), following


def observe(state):
    quality_w, quality_p, service_w, service_p, selected, request = state
    return {
        "quality": {"W": QUALITY[quality_w], "P": QUALITY[quality_p]},
        "in_service": {"W": service_w, "P": service_p},
        "selected": selected,
        "request": Variant(REQUEST[request[0]], request[1]) if request else None,
    }


def main():
    chance = source(2002)
    recording = Recording("aps", [SETUP])
    for _ in range(TRACES):
        recording.walk(SETUP, reference.INIT, chance.randint(5, 15), enabled, observe, chance.choice)
    recording.write(OUT)


main()
