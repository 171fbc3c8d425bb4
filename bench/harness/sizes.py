"""What is run: the models at their sizes, with what every tool has to be told and the counts that all must find."""

import shutil

from .places import HERE, ROOT, WORK


class Size:
    """One model at one size, with what every tool has to be told about it."""

    def __init__(self, model, scale, setup, native, states, transitions, *, log2, define="", depth=1000, hash_bits=22):
        self.model, self.scale, self.setup, self.states, self.transitions = model, scale, setup, states, transitions
        self.play = HERE / "models" / f"{model}.play"
        self.example = False
        self.native = native.split()  # also Stateright's arguments
        self.log2 = log2  # the size of native's table
        self.constants = dict(part.split("=") for part in define.split())  # for SPIN and TLC; none: not written for them
        self.depth, self.hash_bits = depth, hash_bits  # SPIN's -m and -w
        self.id = f"{model} {setup}"


# The scales: XS only shows growth; S is the quick comparison, L belongs to the full one.
SIZES = [
    Size("peterson", "XS", "n4", "peterson 4", 14844, 44120, log2=16, define="N=4", depth=20000, hash_bits=18),
    Size("peterson", "S", "n5", "peterson 5", 344805, 1205325, log2=20, define="N=5", depth=200000, hash_bits=22),
    Size("peterson", "L", "n6", "peterson 6", 8786754, 35331480, log2=24, define="N=6", depth=3000000, hash_bits=25),
    Size("twophase", "XS", "rm6", "2pc 6", 50816, 402305, log2=17, define="N=6", hash_bits=20),
    Size("twophase", "S", "rm7", "2pc 7", 296448, 2744705, log2=20, define="N=7", hash_bits=22),
    Size("twophase", "L", "rm8", "2pc 8", 1745408, 18507777, log2=22, define="N=8", hash_bits=24),
    Size("swp", "XS", "w3_d2_c3", "swp 3 2 3", 157256, 717360, log2=18, define="W=3 D=2 C=3", depth=100000, hash_bits=20),
    Size("swp", "S", "w3_d2_c4", "swp 3 2 4", 1070028, 5059376, log2=21, define="W=3 D=2 C=4", depth=400000, hash_bits=23),
    Size("swp", "L", "w3_d2_c5", "swp 3 2 5", 6346320, 30570200, log2=24, define="W=3 D=2 C=5", depth=2000000, hash_bits=25),
    Size("inc", "XS", "p4_k2", "inc 4 2", 17231, 51708, log2=16, define="N=4 K=2", hash_bits=18),
    Size("inc", "S", "p4_k3", "inc 4 3", 361775, 1225956, log2=20, define="N=4 K=3", hash_bits=22),
    Size("inc", "L", "p4_k4", "inc 4 4", 3892125, 13955872, log2=23, define="N=4 K=4", hash_bits=24),
    Size("paxos", "XS", "b2", "paxos 2", 3921, 22994, log2=14, define="B=2", hash_bits=18),
    Size("paxos", "S", "b3", "paxos 3", 185369, 1316583, log2=19, define="B=3", hash_bits=22),
    Size("paxos", "L", "b4", "paxos 4", 8220065, 67903140, log2=24, define="B=4", hash_bits=25),
    Size("philosophers", "XS", "n10", "phil 10", 59049, 393660, log2=17),
    Size("philosophers", "S", "n12", "phil 12", 531441, 4251528, log2=20),
    Size("philosophers", "L", "n13", "phil 13", 1594323, 13817466, log2=22),
]


class Example(Size):
    """An example of ours at a larger size: its folder is copied, with a file of more setups beside it."""

    def __init__(self, model, scale, setup, states, transitions):
        super().__init__(model, scale, setup, "", states, transitions, log2=0)
        self.play = WORK / "examples" / model / f"{model}.play"
        self.example = True

    def write(self):
        shutil.copytree(ROOT / "examples" / self.model, self.play.parent, dirs_exist_ok=True)
        shutil.copy(HERE / "examples" / f"{self.model}.play", self.play.parent / "larger.play")
        text = (ROOT / "examples" / self.model / self.play.name).read_text()
        self.play.write_text(text.replace("\nsystem ", '\nimport "larger.play"\n\nsystem ', 1))


EXAMPLES = [
    Example("chat", "S", "four_clients_pending_7", 41796, 190516),
    Example("chat", "L", "four_clients_pending_10", 934820, 6004564),
    Example("telephone", "S", "pots_4", 89980, 669764),
]
