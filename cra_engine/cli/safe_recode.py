"""The command ``safe-recode``: local recoding whose choices give a bounded amount away."""

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import PUBLISH, app
from cra_engine.cli.files import answer, earlier_release, note, streams, study_of
from cra_engine.cli.options import (
    DataArgument,
    DecimalOption,
    EarlierOption,
    EarlierStudyOption,
    JsonOption,
    KeepOrderOption,
    KOption,
    ReleaseOutput,
    StreamingOption,
    StudyOption,
)
from cra_engine.cli.publish import at_once, in_blocks
from cra_engine.errors import CRAError
from cra_engine.words import how_many, listed, number_text, odds_factor, percent

if TYPE_CHECKING:
    from cra_engine import SafeRecoding, Study
    from cra_engine.publish.local.streaming import SafeFileRecoding


@app.command("safe-recode", panel=PUBLISH, writes=("output", "study_output"), tables=("output",))
def safe_recode_command(
    data: DataArgument,
    study: StudyOption,
    output: ReleaseOutput,
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", metavar="E", help="How much the choices may give away about one person; 1 to begin."),
    ] = None,
    earlier: EarlierOption = None,
    earlier_study: EarlierStudyOption = None,
    newcomers: Annotated[
        bool,
        typer.Option("--newcomers", help="All rows are of people in no release so far: a table of their own."),
    ] = False,
    k: KOption = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="For teaching: whoever knows the seed knows every coin.")
    ] = None,
    decimal: DecimalOption = None,
    keep_order: KeepOrderOption = False,
    streaming: StreamingOption = None,
    study_output: Annotated[
        Path | None,
        typer.Option(
            "--study-output",
            metavar="SAFE.toml",
            help="Where the study goes that readers need; its hierarchy files go beside it: take a new folder.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a table by safe recoding: no table that fits is excluded, and no set of cells settled at 1 to k - 1."""
    from cra_engine import safe_recode as recoded
    from cra_engine.publish.local.safe import safe_study

    if newcomers and earlier is not None:
        raise CRAError(
            "Newcomers are in no earlier release; leave out --earlier, or give the table of the same people."
        )
    before = earlier_release(earlier, earlier_study, study)
    own = study_of(study, k)
    publisher = safe_study(own.changed(earlier=()) if newcomers else own, epsilon, before)
    recoding: SafeRecoding | SafeFileRecoding  # one or the other, with the same to tell
    table = None
    if streams(streaming, data, output):
        from cra_engine.publish.local.streaming import safe_recode_file

        recoding, notes, unseen = in_blocks(
            safe_recode_file, data, publisher, output, seed=seed, decimal=decimal, keep_order=keep_order
        )
    else:
        recoding, notes, unseen = at_once(
            partial(recoded, seed=seed), data, publisher, output, decimal, keep_order=keep_order, seed=seed
        )
        table = recoding.frame
    if study_output is not None:
        readers = recoding.study_for_readers(table)
        readers.to_toml(study_output)
        notes += _without_names(publisher, readers)
    if seed is not None:
        notes = (*notes, "With a seed the coins are known to whoever guesses it; hand out a release drawn without one.")
    note(*notes, *recoding.warnings)
    answer(recoding.to_dict, lambda: _tell(recoding, output, study_output), as_json=as_json, undecided=unseen)


def _without_names(publisher: "Study", readers: "Study") -> tuple[str, ...]:
    """Say of which columns the readers' study leaves names out."""
    pairs = zip(publisher.attributes, readers.attributes, strict=True)
    names = [attribute.name for attribute, read in pairs if attribute != read]
    if not names:
        return ()
    said = (
        f"The readers' study numbers the categories of {listed(names)} that the release does not show, instead of "
        "naming them; each keeps its place in the list, so take a list that was not made from the table."
    )
    return (said,)


def _tell(recoding: "SafeRecoding | SafeFileRecoding", output: Path, study_output: Path | None) -> None:
    study, before = recoding.study, len(recoding.study.earlier)
    spent = (
        f", {number_text(study.epsilon_of_all or Decimal(0))} with {how_many(before, 'earlier release')}"
        if before
        else ""
    )
    typer.echo(
        f"{recoding.records} records, k = {study.k}, epsilon = {study.epsilon}{spent}: "
        f"{len(recoding.classes)} classes, {how_many(recoding.suppressed, 'record')} suppressed, "
        f"information lost {percent(recoding.loss, 1)}. Release in {output}."
    )
    from cra_engine.study.regions import NOTHING_TO_CHOOSE

    most = f"odds times {odds_factor(recoding.gain)} at most" if recoding.gain else NOTHING_TO_CHOOSE
    too = " and the earlier releases" if before else ""
    typer.echo(
        f"Nobody learns more than {float(recoding.gain):.3g} about one person from what was published and what was not "
        f"({most}), even who knows everybody else{too}. Draw once: the best of several draws keeps no promise. A later "
        "release of the same people needs --earlier with this one."
    )
    if before and sorted((one.segment, one.size) for one in recoding.classes) == list(study.earlier[-1].classes):
        typer.echo("It shows no more than the release before it; its epsilon is spent all the same.")
    if study_output is None:
        typer.echo(
            f'Readers need the study with profile = "{study.profile}" and epsilon = {study.epsilon}'
            f"{', and its ledger' if before else ''}; --study-output writes it."
        )
    else:
        typer.echo(f"Readers need the study in {study_output}.")
