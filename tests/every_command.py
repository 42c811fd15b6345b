"""How each command is called with all files that it can read and write, and a folder that holds those."""

TREE = "".join(f"{age};[{age // 20 * 20}, {age // 20 * 20 + 20}[;*\n" for age in range(80))
STUDY = 'k = 3\n[[attribute]]\nname = "age"\nhierarchy = "trees/age.csv"\n'
DATA = "age;note\n" + "".join(f"{row % 80};{'x' * 30}\n" for row in range(300))
PLAN = 'samples = 1\nk = [3]\n[[dataset]]\nname = "own"\ndata = "data.csv"\nstudy = "study.toml"\n'
PLAN += 'sets = [{ attributes = ["age"] }]\n'

PEOPLE = "age;weight;town;illness\n" + "".join(
    f"{20 + row * 7 % 60};{50 + row * 11 % 40};{('Ulm', 'Bonn')[row % 2]};{('flu', 'gout', 'cold')[row % 3]}\n"
    for row in range(60)
)
FEW = "".join(f"{row.split(';')[0]};{row.split(';')[3]}\n" for row in PEOPLE.splitlines()[:31])
MODELS = STUDY + '[[privacy]]\nmodel = "t-closeness"\nattribute = "illness"\ndistance = "hierarchical"\nt = 0.9\n'
MODELS += 'hierarchy = "trees/illness.csv"\n'
# How each command is called with all files that it can read and write.
CALLS = {
    "synthesize": ("toy", "--output", "new-1.csv", "--study", "new-2.toml"),
    "recode": ("people.csv", "--study", "models.toml", "--output", "new-1.csv"),
    "global-recode": ("people.csv", "--study", "models.toml", "--output", "new-1.csv", "--lattice", "new-2.csv"),
    "microaggregate": ("people.csv", "--keep-order", "--k", "3", "--column", "weight", "--output", "new-1.csv"),
    "heterogeneous": (
        *("people.csv", "--qi", "age", "--sensitive", "illness", "--l", "2", "--queries", "queries.json"),
        *("--output", "new-1.csv", "--graph", "new-2.csv"),
    ),
    "minimal": ("people.csv", "--study", "study.toml", "--output", "new-1.csv"),
    "safe-recode": ("people.csv", "--study", "study.toml", "--epsilon", "1", "--output", "new-1.csv"),
    "publishable": ("few.csv", "--study", "study.toml", "--time-limit", "60", "--output", "new-1"),
    "repair": (
        *("release.csv", "--study", "study.toml", "--with", "release.csv", "--with-study", "study.toml"),
        *("--output", "new-1.csv"),
    ),
    "compare": ("people.csv", "--study", "study.toml", "--method", "local", "--output", "new-1.html"),
    "compare --around": ("people.csv", "--study", "models.toml", "--method", "local", "--output", "new-1.html"),
    "downcode": ("steps.csv", "--study", "ladder.toml", "--data", "climbers.csv", "--output", "new-1.csv"),
    "effective-anonymity": ("people.csv", "--study", "study.toml", "--output", "new-1.csv"),
    "attack": ("release.csv", "--study", "study.toml", "--population", "shares.csv"),
    "single-out": ("release.csv", "--study", "study.toml", "--data", "people.csv"),
    "compose": ("release.csv", "release.csv", "--study", "study.toml", "--population", "shares.csv"),
    "check": (
        *("people.csv", "--study", "study.toml", "--release", "release.csv", "--population", "people.csv"),
        *("--output", "new-1.html", "--fail-on", "never"),
    ),
    "roles": ("people.csv", "--study", "models.toml", "--output", "new-1.toml"),
    "audit": ("release.csv", "--study", "study.toml", "--population", "shares.csv", "--output", "new-1.html"),
    "sensitive-cells": ("people.csv", "--release", "release.csv", "--by", "age", "--column", "weight"),
    "experiment": ("plan.toml", "--output", "new-1.csv", "--timings", "new-2.csv", "--jobs", "1"),
    "experiment --report": ("results.csv", "--output", "new-1"),
    "experiment --simulate": ("clusters", "--runs", "1"),
}


def begin(folder):
    """Put into a folder what the simplest commands read."""
    (folder / "trees").mkdir(exist_ok=True)
    (folder / "trees" / "age.csv").write_text(TREE, encoding="utf-8")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    (folder / "data.csv").write_text(DATA, encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")


def fill(folder):
    """Put into a folder a file of every kind that commands read, but those that recode and experiment write."""
    begin(folder)
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (folder / "few.csv").write_text(FEW, encoding="utf-8")
    (folder / "models.toml").write_text(MODELS, encoding="utf-8")
    (folder / "trees" / "illness.csv").write_text("flu;cold-like;*\ncold;cold-like;*\ngout;other;*\n", "utf-8")
    (folder / "trees" / "ladder.csv").write_text("0;0;0-1;*\n1;1;0-1;*\n2;2;2;*\n", encoding="utf-8")
    (folder / "ladder.toml").write_text(
        'k = 2\n[[attribute]]\nname = "step"\nhierarchy = "trees/ladder.csv"\n', "utf-8"
    )
    (folder / "steps.csv").write_text("step\n*\n*\n", encoding="utf-8")
    (folder / "climbers.csv").write_text("step\n0\n2\n", encoding="utf-8")
    (folder / "queries.json").write_text('[{"age": [30, 40], "illness": ["flu"]}]', encoding="utf-8")
    shares = "".join(f"age,{age},{age + 1},1\n" for age in range(80))
    (folder / "shares.csv").write_text("attribute,lower,upper,share\n" + shares, encoding="utf-8")
