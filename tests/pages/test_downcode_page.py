"""The page Downcode: the picture's three stages, what is asked first, four people, the session's own release."""

import json
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from plotly import graph_objects as go
from support import open_page, shown, two

from contrast import contrast
from cra_dashboard.downcoding import state as down
from cra_dashboard.downcoding import story
from cra_dashboard.downcoding.chart import cluster_figure, pieces
from cra_dashboard.downcoding.ladder import PEOPLE, climbed
from cra_dashboard.session import keys
from cra_engine import Attribute, Study, is_minimal, minimal_releases, synthesize
from cra_engine.experiments.downcoding import simulate_clusters

SETTINGS = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
DARK = SETTINGS["theme"]["dark"]["backgroundColor"]


def names(app):
    return [one.name for one in figure(app).data]


def figure(app):
    (chart,) = app.get("plotly_chart")
    return go.Figure(json.loads(chart.proto.spec))


def test_the_story_is_told_before_anything_is_touched():
    app = open_page("downcode")
    assert not app.exception
    assert "What was concluded is right: 1 record differs from the rest of the cluster.**" in shown(app)
    assert "All of it was read off the release." in shown(app)
    assert names(app) == [
        "published for 5",
        "concluded: one record",
        "concluded: the other 4",
        "true records near the centre in every attribute",
        "true records far from it in some attribute",
    ]


def test_what_is_published_shows_no_conclusion_and_no_record():
    app = open_page("downcode", **{keys.DOWNCODE_STAGE: keys.PUBLISHED})
    assert names(app) == ["published for 5"]
    assert "5 records are published alike: the whole cluster in" in shown(app)
    app = open_page("downcode", **{keys.DOWNCODE_STAGE: keys.CONCLUDED})
    assert names(app) == ["published for 5", "concluded: one record", "concluded: the other 4"]
    assert "So one record is far in all" in shown(app)


def test_whoever_wants_to_predict_is_asked_before_the_records_are_shown():
    app = open_page("downcode", **{"predict-first": True})
    assert names(app) == ["published for 5"]
    assert "How many of them are far from the centre in some attribute?" in shown(app)
    assert "Four people" not in shown(app)
    app.radio[0].set_value(3).run()
    next(button for button in app.button if button.label == "Reveal").click().run()
    assert "1 record differs from the rest of the cluster." in shown(app)
    assert "Being minimal tells" in shown(app)


def test_every_cluster_can_be_looked_at_and_another_table_drawn():
    app = open_page("downcode")
    (choice,) = app.selectbox
    assert len(choice.options) == 10
    assert choice.options[0].endswith("downcoded")
    for place in range(10):
        app.selectbox[0].set_value(place).run()
        assert not app.exception
        assert len(names(app)) >= 2
    before = figure(app)
    next(button for button in app.button if button.label == "Draw again").click().run()
    assert not app.exception
    assert figure(app) != before


@pytest.mark.parametrize("stage", story.STAGES)
def test_what_is_said_and_drawn_fits_every_cluster(stage):
    said = set()
    for seed in range(14):
        run = simulate_clusters(4, 40, 10, 8, runs=1, seed=seed).first
        for cluster in [*down.clusters(run)[:3], down.clusters(run)[-1]]:
            said.add(story.headline(cluster, stage).split(":")[0])
            drawn = cluster_figure(cluster, (0, 7), concluded=True, truth=True)
            points = [trace for trace in drawn.data if trace.mode == "markers"]
            assert sum(len(trace.x) for trace in points) == cluster.records
            # Seen on a dark page too: ink is near black there, on marks.
            assert all(contrast(trace.marker.color, DARK) >= 3 for trace in points)
            if cluster.fired:
                assert run.fired.count(cluster.number) == 1
                assert cluster.correct == (cluster.far_records == 1)
    assert any(one.startswith("This ") for one in said)
    assert ({"What was concluded is right", "What was concluded is wrong"} <= said) == (stage == keys.TRUTH)


def test_a_far_node_is_two_intervals_around_the_near_one():
    (left, right), ((low, high),) = pieces(1), pieces(0)
    assert left[1] == low
    assert right[0] == high
    assert pieces(2 * down.CLUSTERS) == [(left[0], right[1])]


def test_the_four_people_of_figure_2_have_three_minimal_releases():
    app = open_page("downcode", **{"downcode-tab": "Four people"})
    releases = [
        table.value.to_numpy().tolist() for table in app.dataframe if list(table.value.columns) == ["Old", "Rich"]
    ]
    assert sorted(" ".join("".join(row) for row in release) for release in releases) == [
        "** ** *0 *0",
        "** *0 *0 **",
        "1* 00 1* 00",
    ]
    assert "2 of 2 stars are settled" in shown(app)
    app.checkbox(key="downcode-Old-0").uncheck().run()
    assert not app.exception
    # (0, 1), (0, 0), (1, 0), (0, 0): whoever stands with whom, one of the pairs differs in both columns or in one.
    assert shown(app).count("stars are settled") == len(
        minimal_releases(
            pd.DataFrame([("0", "1"), ("0", "0"), ("1", "0"), ("0", "0")], columns=["Old", "Rich"]),
            Study([Attribute.from_hierarchy(name, down.FLAG) for name in ("Old", "Rich")], 2),
        )
    )


def test_the_release_of_the_session_is_tested():
    app = open_page("downcode", **{"downcode-tab": "Your release"})
    assert "Choose a table on the page Data" in shown(app)
    made = synthesize("clinic", records=60)
    app = open_page("downcode", made.data, made.study, **{"downcode-tab": "Your release"})
    assert not app.exception
    assert "minimal**" in shown(app)
    small = made.data.assign(a=range(60), b=range(60))
    app = open_page(
        "downcode", small.assign(a=small["a"] % 8, b=small["b"] % 8), two(), **{"downcode-tab": "Your release"}
    )
    assert "minimal**" in shown(app)


def test_a_ladder_is_published_attacked_and_held_against_the_truth():
    app = open_page("downcode", **{"downcode-tab": "A ladder"})
    assert not app.exception
    text = shown(app)
    assert "From the release alone" in text
    found = climbed(0)
    tables = [one.value for one in app.dataframe if list(one.value.columns) == list(found.truth.columns)]
    assert [len(one) for one in tables] == [PEOPLE] * 3


@pytest.mark.parametrize("seed", range(12))
def test_what_is_concluded_of_a_ladder_refines_and_is_said_right(seed):
    found = climbed(seed)
    studied = found.found.study
    assert is_minimal(found.truth, found.release, studied) is True

    def spans(frame):
        return [[attribute.parse(str(label)) for attribute, label in zip(studied.attributes, row, strict=True)]
                for row in frame.to_numpy().tolist()]  # fmt: skip

    for published, concluded in zip(spans(found.release), spans(found.found.frame), strict=True):
        assert all(p.start <= c.start and c.stop <= p.stop for p, c in zip(published, concluded, strict=True))
    assert ("; all of it holds" in found.headline) == bool(found.found.refined and found.compound.generalizes)
