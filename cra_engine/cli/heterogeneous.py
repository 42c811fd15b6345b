"""``cra-engine heterogeneous``: publish with l-diversity or beta-likeness, each row with an extent of its own."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import Extraction, MatchMethod
from cra_engine.cli.app import PUBLISH, app
from cra_engine.cli.clock import counting
from cra_engine.cli.files import defused_note, note, print_json, write
from cra_engine.cli.options import DecimalOption, JsonOption, ReleaseOutput
from cra_engine.errors import DataError
from cra_engine.words import how_many

if TYPE_CHECKING:
    from cra_engine import Heterogeneous
    from cra_engine.attacks.naive_bayes import NaiveBayes


@app.command("heterogeneous", panel=PUBLISH, writes=("output", "graph"), tables=("output",))
def heterogeneous_command(
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table, one row per person.")],
    qi: Annotated[list[str], typer.Option("--qi", metavar="NAME", help="A quasi-identifier; repeat for each.")],
    sensitive: Annotated[str, typer.Option("--sensitive", metavar="NAME", help="The sensitive attribute.")],
    output: ReleaseOutput,
    l: Annotated[  # noqa: E741 - its name in the field
        int | None,
        typer.Option(
            "--l", metavar="L", help="Diversity: matches with so many sensitive values; 2 or more. Give --l or --beta."
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option("--beta", metavar="BETA", help="Likeness: the largest relative gain in confidence; 0 or more."),
    ] = None,
    method: Annotated[
        MatchMethod, typer.Option(help="HG: least loss (Hungarian). SG: cheapest pair first. GR: row by row, fastest.")
    ] = "HG",
    extraction: Annotated[
        Extraction,
        typer.Option(help="permutation: keeps the promise to people, too. paper: the paper's, which breaks it."),
    ] = "permutation",
    categorical: Annotated[
        list[str] | None,
        typer.Option("--categorical", metavar="NAME", help="A quasi-identifier whose numbers are codes; repeat."),
    ] = None,
    decimal: DecimalOption = None,
    partition: Annotated[
        int | None,
        typer.Option(
            "--partition", metavar="N", help="Anonymize parts of about so many records each: faster, more loss."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="SEED", help="For teaching only: who knows it can undo the protection."),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option("--queries", metavar="Q.json", help="Count queries: a list of {column: [lo, hi] or [values]}."),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph",
            metavar="GRAPH.csv",
            help="Where the secret graph of matches goes, if anywhere; for the publisher alone.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish with l-diversity or beta-likeness: each row shows the extent of its own matches."""
    from cra_engine import heterogeneous as generalized
    from cra_engine.attacks.naive_bayes import naive_bayes
    from cra_engine.files.csv_text import csv_text, formulas
    from cra_engine.files.notation import with_decimal
    from cra_engine.files.tables import read_noted
    from cra_engine.utility.count_queries import People, estimates, read_queries

    table, notes = read_noted(data)
    if decimal is not None:
        table = with_decimal(table, [name for name in qi if name not in (categorical or ())], decimal)
    asked = None if queries is None else _text(queries)
    result = generalized(
        table,
        qi,
        sensitive,
        l=l,
        beta=beta,
        method=method,
        extraction=extraction,
        categorical=categorical or (),
        seed=seed,
        partition=partition,
        progress=counting("bucket pairs"),
    )
    wanted = [] if asked is None else read_queries(asked, result.data, sensitive)
    people = People(result.data)
    answers = [
        {"estimate": estimated, "exact": people.count(query)}
        for query, estimated in zip(wanted, estimates(result.published, result.data, sensitive, wanted), strict=True)
    ]
    learners = {
        name: naive_bayes(result.published, result.data, qi, sensitive, alpha=alpha)
        for name, alpha in (("classic", 0), ("laplace", 1))
    }
    written = [(output, csv_text(result.frame))]
    if graph is not None:
        written.append((graph, csv_text(result.graph())))
    write(*written)
    notes += result.notes
    if seed is not None:
        notes += ("With a seed the table is for teaching: who knows the seed can undo the protection.",)
    if extraction == "paper":
        notes += ("The paper's extraction does not keep its promise to people; see `original`.",)
    notes += defused_note(formulas(result.frame), output)
    note(*notes)
    if as_json:
        truth = result.data[sensitive]
        guessed = {name: float(learner.accuracy(truth)) for name, learner in learners.items()}
        print_json(result.to_dict() | {"naive_bayes": guessed, "queries": answers, "warnings": list(notes)})
        return
    _print(result, learners, answers, output)


def _text(path: Path) -> str:
    from cra_engine.files.content import content_of
    from cra_engine.files.json_text import MOST_CHARACTERS

    try:
        return content_of(path, str(path), most=MOST_CHARACTERS).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path} is no text in UTF-8; save the queries as JSON in UTF-8.") from None


def _print(
    result: "Heterogeneous", learners: "dict[str, NaiveBayes]", answers: list[dict[str, float | int]], output: Path
) -> None:
    typer.echo(
        f"{how_many(result.records, 'record')} in {how_many(result.rows, 'row')} "
        f"({how_many(result.dummies, 'dummy', 'dummies')}), {how_many(result.buckets, 'bucket')} of "
        f"{result.bucket_size}: each person matches {how_many(result.buckets, 'row')}."
    )
    typer.echo(f"Lost (GCP, 0 to 1): {result.gcp:.5f}.")
    asked = result.published_side.over is not None  # beta was; with l nobody bounds how much confidence may grow
    if asked:
        typer.echo(f"The buckets promise that no confidence grows by more than {float(result.beta_bound):.6g} times.")
    for who, side in (("behind a row", result.published_side), ("before a person", result.original_side)):
        over = "" if side.over is None else f", above beta for {_percent(side.over)}"
        gain = f"confidence grows by at most {float(side.max_beta):.6g} times{over}, " if asked else ""
        typer.echo(f"Values {who}: {gain}a value stands twice for {_percent(side.repeated)}.")
    truth = result.data[result.sensitive]
    classic, laplace = (_percent(learner.accuracy(truth)) for learner in learners.values())
    typer.echo(
        f"Naive Bayes guesses {classic} right ({laplace} with Laplace's correction); always guessing the most frequent "
        f"value, {_percent(learners['classic'].baseline(truth))}."
    )
    for number, answer in enumerate(answers, start=1):
        typer.echo(f"Query {number}: about {answer['estimate']:.1f}, exactly {answer['exact']}.")
    typer.echo(f"Release in {output}.")


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.2f} %"
