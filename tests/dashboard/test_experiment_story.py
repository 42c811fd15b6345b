"""What the page Experiments draws and says, against numbers worked out by hand."""

import pytest
from experiment_rows import results

from cra_dashboard.experiments import story
from cra_dashboard.experiments.chart import Spread, ratio_figure, ratios_told

# Two samples with ratios 1, 10 and 100, and 10 and 1000, at k = 3; one class of ratio 10 at k = 4.
SPREAD = results(
    {"k": 3, "sample": 0, "each_log10_ratio": "0 1 2", "log10_ratio_mean_compound": 1.5, "suppressed_log10_ratio": 2},
    {"k": 3, "sample": 1, "each_log10_ratio": "1 3", "log10_ratio_mean_compound": 1.5},
    {"k": 4, "sample": 0, "each_log10_ratio": "1", "log10_ratio_mean_compound": 1, "suppressed_log10_ratio": 3},
    {"k": 4, "sample": 1},
)
KINDS = results(
    {"k": 3, "classes": 4, "basic_classes": 4},
    {"k": 3, "sample": 1, "classes": 4, "basic_classes": 3, "compound_classes": 1},
    {"k": 5, "classes": 2, "basic_classes": 1, "compound_classes": 1},
    {"k": 5, "sample": 1},
)
SINGLED = results(
    {"k": 3, "compound_classes": 4, "singled_failed": 1, "singled_one": 1, "singled_many": 2},
    {"k": 4, "compound_classes": 2, "singled_failed": 1, "singled_one": 1},
)
TIGHT = {"tight_log10_intervals": 9}
TOGETHER = results(
    {"k": 3, "tight_status": "exact", "tight_log10_per_class": 5, "tight_log10_worlds": 3, **TIGHT},
    {"k": 3, "sample": 1, "tight_status": "timeout", "tight_log10_per_class": 5, **TIGHT},
    {"k": 3, "sample": 2, "tight_status": "estimate", "tight_log10_per_class": 5, "tight_log10_worlds": 4, **TIGHT},
    {"k": 3, "sample": 3, "tight_status": "refused"},
)


def test_ratios_of_classes():
    first, second = story.spreads(SPREAD, "classes", "k")
    assert first == Spread("k = 3", "x, y", (0, 1, 2, 1, 3), pytest.approx(1.5))
    assert second == Spread("k = 4", "x, y", (1,), pytest.approx(1))
    says = story.ratio_says(SPREAD, "classes", "k")
    assert says == (
        "The median ratio of a compound class is 10.00; from k = 3 to 4 it does not grow. The largest of all is 1,000."
    )


def test_ratios_of_suppressed_records():
    assert [spread.logs for spread in story.spreads(SPREAD, "suppressed", "k")] == [(2,), (3,)]
    assert story.ratio_says(SPREAD, "suppressed", "k") == (
        "The median ratio of the suppressed records is between 100.00 and 1,000; from k = 3 to 4 it grows. The largest "
        "of all is 1,000."
    )


def test_along_the_sets_the_series_are_the_values_of_k():
    assert [(s.place, s.series) for s in story.spreads(SPREAD, "classes", "sets")] == [
        ("x, y", "k = 3"),
        ("x, y", "k = 4"),
    ]
    assert "the largest of them with x, y at k = 4" in story.ratio_says(SPREAD, "suppressed", "sets")


def test_all_classes_together_count_only_where_the_number_is_known():
    assert story.ratios(TOGETHER.group(("d", "x y", "2 2"), 3), "together")[0] == [2, 1]
    assert story.tight_outcomes(TOGETHER) == {"exact": 1, "estimate": 1, "timeout": 1, "refused": 1}
    assert story.ratio_table(TOGETHER, "together").key == "tight"


def test_nothing_to_draw_is_said():
    assert story.ratio_says(KINDS, "classes", "k").startswith("There is no compound class yet")
    assert story.ratio_says(KINDS, "suppressed", "k") == "No record was suppressed."
    assert story.ratio_says(KINDS, "together", "k") == "Nothing is known yet of all classes together."
    assert story.outcomes_say(KINDS).startswith("There is no compound class yet")
    assert story.kinds_say(SPREAD) == "There is no class yet."


def test_basic_and_compound_classes():
    assert story.kinds_say(KINDS) == (
        "At k = 5, 50 % of the classes of a sample are compound, and only these can be refined; from k = 3 to 5 their "
        "share grows."
    )


def test_outcomes_of_singling_out():
    assert story.outcomes_say(SINGLED) == (
        "In 50 to 75 % of the compound classes, somebody is singled out (the paper: 20 to 90 %). In all 2 releases the "
        "truth is among what the attack leaves."
    )
    wrong = results({"k": 3, "compound_classes": 1, "singled_one": 1, "singled_invalid": 1})
    assert "In 1 class the attack excludes the truth" in story.outcomes_say(wrong)


def test_what_is_not_known_at_both_ends_is_said():
    found = results(
        {"k": 3, "suppressed_log10_ratio": 1},
        {"k": 4, "suppressed_log10_ratio": 2},
        {"k": 3, "attributes": "x z", "suppressed_log10_ratio": 1},
        {"k": 4, "attributes": "x z"},
    )
    assert "from k = 3 to 4 it grows in 1 of 1 set-up where both are known" in story.ratio_says(
        found, "suppressed", "k"
    )


@pytest.mark.parametrize(
    ("courses", "says"),
    [
        ([(1, 2, 3)], "; from k = 3 to 5 it grows, at every step."),
        ([(1, 3, 2)], "; from k = 3 to 5 it grows, not at every step."),
        ([(1, 1, 2)], "; from k = 3 to 5 it grows, not at every step."),
        ([(2, 3, 1)], "; from k = 3 to 5 it does not grow."),
        ([(1, None, 2)], "; from k = 3 to 5 it grows, at every step."),
        ([(1, 2, 3), (1, 3, 2), (2, 3, 1)], "; from k = 3 to 5 it grows in 2 of 3 set-ups, at every step in 1."),
        ([(1, 2, 3), (2, 1, 0)], "; from k = 3 to 5 it grows in 1 of 2 set-ups, at every step."),
        ([(3, 2, 1), (2, 3, 1)], "; from k = 3 to 5 it grows in 0 of 2 set-ups."),
    ],
)
def test_what_grows_between_the_ends_is_not_said_of_every_step(courses, says):
    found = results(
        *(
            {"k": k, "attributes": f"x {name}"} | ({} if ratio is None else {"suppressed_log10_ratio": ratio})
            for course, name in zip(courses, "abc", strict=False)
            for k, ratio in enumerate(course, 3)
        )
    )
    assert says in story.ratio_says(found, "suppressed", "k")


def test_set_ups_are_told_apart():
    rows = [{"k": 3, "layers": layers, "dataset": name} for layers in ("2 2", "3 2") for name in ("d", "e")]
    found = results(*rows)
    assert [story.label(found, c) for c in found.configurations] == [
        "d: x, y (2, 2 layers)", "e: x, y (2, 2 layers)", "d: x, y (3, 2 layers)", "e: x, y (3, 2 layers)",
    ]  # fmt: skip


# ---------------------------------------------------------------- pictures


def test_the_picture_of_ratios():
    spreads = [Spread("k = 3", "x", (0, 1, 2), 1.7), Spread("k = 3", "y", (), None), Spread("k = 4", "x", (4,), None)]
    figure = ratio_figure(spreads, "classes")
    dots, bars, medians, means = (trace for trace in figure.data if trace.name == "x")
    assert list(dots.y) == [0, 1, 2, 4]
    assert list(bars.y) == [pytest.approx(0.2), pytest.approx(1.8), None, 4, 4, None]
    assert list(medians.y) == [1, 4]
    assert list(means.y) == [1.7]
    assert [round(x) for x in medians.x] == [0, 1]
    assert medians.hovertext[0] == (
        "x, k = 3<br>3 classes<br>median 10.00, 80 % between 1.58 and 63.10<br>mean 50.12, largest 100.00"
    )
    assert figure.layout.yaxis.range[1] > 4
    assert list(figure.layout.xaxis.ticktext) == ["k = 3", "k = 4"]


def test_of_many_classes_some_are_drawn_and_the_ends_are_among_them():
    figure = ratio_figure([Spread("k = 3", "x", tuple(range(1000)), None)], "classes")
    drawn = list(figure.data[0].y)
    assert len(drawn) == 40
    assert (drawn[0], drawn[-1]) == (0, 999)


def test_the_words_at_a_place_name_its_numbers():
    assert ratios_told(Spread("k = 3", "x", (2,), 2.0), "samples").endswith("mean 100.00, largest 100.00")
