"""The page Experiments in-process: the plan, the run that is stopped and goes on, its results, and what goes wrong."""

import gc
import threading
import time
from decimal import Decimal

import pytest
from support import open_page, shown, two

from cra_dashboard.experiments import run as experiment_run
from cra_dashboard.experiments import view as experiment_view
from cra_dashboard.experiments.plan import PLAN
from cra_dashboard.session import state
from cra_dashboard.session.datasets import example
from cra_engine import CRAError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import columns, csv_line
from cra_engine.experiments.run import run_experiment, run_rows
from cra_engine.raw.synthesis import synthesize

SIMPLE = """
k = [2, 3]
samples = 2
[[dataset]]
name = "toy"
synthetic = "toy"
records = 30
sets = [{ attributes = ["age", "weight"] }]
"""


class Slow:
    """Stands in for the process: gives rows one by one, as many as it is allowed to."""

    def __init__(self):
        self.allowed = threading.Semaphore(0)
        self.asked = []

    def __call__(self, plan, already, cancelled):
        self.asked.append(already)
        for row, _ in run_rows(plan, already):
            while not self.allowed.acquire(timeout=0.02):
                if cancelled():
                    return
            yield csv_line([row[name] for name in columns(plan)])

    def allow(self, runs):
        for _ in range(runs):
            self.allowed.release()


@pytest.fixture
def slow(monkeypatch):
    slow = Slow()
    monkeypatch.setattr(experiment_run, "stream", slow)
    return slow


def open_plans(*given):
    """Open the page as somebody finds it who has been there: no plan is run unasked."""
    return open_page("experiments", *given, **{experiment_run._KEPT: {}})


@pytest.fixture
def app():
    return open_plans()


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def labels(app):
    return [button.label for button in app.button]


def downloads(app):
    return [button.label for button in app.get("download_button")]


def upload(app, label, *files):
    (field,) = (field for field in app.file_uploader if field.label == label)
    for name, content in files:
        field.upload(name, content)
    app.run()
    assert not app.exception
    return app


def take_a_plan(app, *files):
    app.radio(key="experiment-how").set_value("From a file").run()
    return upload(app, "Plan (TOML) with the files that it names, one by one or in a zip file", *files)


def kept(app):
    """The rows of each plan by its fingerprint."""
    return app.session_state.get(experiment_run._KEPT, {})


def until(app, done):
    """Look again and again, as the browser does, until so many runs are done; of all, until the run has ended."""
    for _ in range(3000):
        app.run()
        assert not app.exception
        rows = next(reversed(kept(app).values()), None)
        if rows is not None and rows.done >= done and not ("Stop" in labels(app) and rows.finished):
            return app.run()
        time.sleep(0.1)
    raise AssertionError("the runs do not come to an end")


def plans_in_memory(others=()):
    """All plans but for those that somebody else holds, such as a module of the fuzzing."""
    gc.collect()
    plans = [thing for thing in gc.get_objects() if isinstance(thing, Plan)]
    return [plan for plan in plans if all(plan is not other for other in others)]


def error(app):
    """The one error on the page, Markdown's escapes taken out."""
    (box,) = app.error
    return box.value.replace("\\", "")


def views(app, name):
    control = next(group for group in app.get("button_group") if group.label == "Result")
    control.set_value(name).run()
    assert not app.exception
    return app


def alts(app):
    return [chart.proto.alt for chart in app.get("plotly_chart")]


# ---------------------------------------------------------------- the plan


def test_a_small_plan_is_run_as_the_page_opens_and_its_figure_shown():
    app = open_page("experiments")
    assert not app.exception
    assert "All 50 runs are done" in app.success[0].value
    assert "drawn from **clinic** with seed 1" in app.success[0].value
    assert app.get("plotly_chart")
    rows = next(iter(app.session_state[experiment_run._KEPT].values()))
    plan = next(iter(app.session_state[experiment_run._KEPT]))
    assert rows.finished
    # It is done once: who forgets its rows, or takes another plan, decides.
    press(app, "Start again")
    assert "Run" in labels(app)
    assert plan not in app.session_state[experiment_run._KEPT]


def test_the_first_screen_has_a_small_plan_ready(app):
    assert not app.exception
    assert "2 sets of quasi-identifiers × 5 samples × 5 values of k: **50 runs**." in shown(app)
    # Whatever table is open, it is said which one is used here, and what is drawn at random.
    assert "Drawn from **clinic** with seed 1." in shown(app)
    assert "How long they take will show once the first have finished" in shown(app)
    assert "Run" in labels(app)
    assert downloads(app) == ["Download the plan"]
    assert not app.error


def test_the_small_plan_runs_in_a_process_and_gives_the_command_lines_bytes(app, tmp_path):
    until(press(app, "Run"), 50)
    assert any("All 50 runs are done" in box.value for box in app.success)
    (rows,) = kept(app).values()
    plan = (
        'seed = 1\nsamples = 5\nk = [3, 4, 5, 6, 7]\n[[dataset]]\nname = "clinic"\n'
        'synthetic = "clinic"\nrecords = 200\n'
        'sets = [{ attributes = ["weight", "bp_systolic"], layers = [4, 3] }, '
        '{ attributes = ["weight", "bp_systolic", "patient_id"], layers = [4, 3, 3] }]\n'
    )
    (tmp_path / PLAN).write_text(plan, encoding="utf-8")
    run_experiment(Plan.from_toml(tmp_path / PLAN), tmp_path / "results.csv")
    assert rows.csv() == (tmp_path / "results.csv").read_bytes()
    assert downloads(app) == [
        "Results (CSV)", "Report (HTML)", "Report, all tables (zip)", "Download the plan",
    ]  # fmt: skip
    assert any(alt.startswith("The median ratio of a compound class is between") for alt in alts(app))
    views(app, "Basic and compound")
    (kinds,) = (frame.value for frame in app.dataframe)
    assert list(zip(kinds["QIs"], kinds["k"], strict=True)) == [
        (qis, k) for qis in ("all", "2", "3") for k in range(3, 8)
    ]
    assert ((kinds["basic"] + kinds["compound"]).round(6) == 100).all()
    views(app, "Singling out")
    (counted,) = (frame.value for frame in app.dataframe)
    singled = counted["1 record"] + counted["> 1 record"]
    assert (counted["failed"] + singled == counted["compound classes"]).all()
    assert (100 * singled / counted["compound classes"]).round(6).tolist() == counted["singled out"].round(6).tolist()
    # All samples are of one table, which the page names.
    assert "data set" not in counted
    assert "In all 50 releases the truth is among what the attack leaves." in shown(app)
    views(app, "Every row")
    assert len(app.dataframe[0].value) == 50


def test_the_papers_plan_is_one_click(app):
    app.radio(key="experiment-how").set_value("The paper's plan").run()
    assert "5 sets of quasi-identifiers × 12 samples × 5 values of k: **300 runs**." in shown(app)


def test_every_field_stands_in_the_plan(app):
    app.checkbox(key="experiment-clinic-pooled").set_value(True).run()
    app.number_input(key="experiment-clinic-pool").set_value(300).run()
    app.selectbox(key="experiment-clinic-profile-paper").set_value("share").run()
    app.number_input(key="experiment-clinic-share").set_value(0.05).run()
    app.checkbox(key="experiment-tight").set_value(True).run()
    app.number_input(key="experiment-seconds").set_value(7).run()
    app.selectbox(key="experiment-ties").set_value("arx").run()
    app.number_input(key="experiment-seed").set_value(4).run()
    assert not app.error
    _, plan = app.session_state[state._RESULTS]["experiment plan"]
    assert (plan.seed, plan.ties, plan.tight_time_limit, plan.singling_out) == (4, "arx", 7, True)
    assert {one.study.profile for one in plan.configurations} == {Decimal("0.05")}
    assert {len(one.source.table) for one in plan.configurations} == {300}


def test_sets_can_be_added_changed_and_removed(app):
    press(app, "Add a set")
    assert "Set 3" in str([box.label for box in app.multiselect])
    assert error(app) == (
        "plan.toml: data set 'clinic' with weight (4 layers), bp_systolic (3 layers), patient_id (3 layers) is planned "
        "twice; remove one."
    )
    app.multiselect[2].set_value(["weight"]).run()
    assert "3 sets of quasi-identifiers × 5 samples × 5 values of k: **75 runs**." in shown(app)
    press(app, "Remove set 1")
    assert [box.value for box in app.multiselect] == [["weight", "bp_systolic", "patient_id"], ["weight"]]
    app.multiselect[1].set_value([]).run()
    assert error(app) == "Set 2 has no quasi-identifier; choose one, or remove the set."


def test_the_most_that_the_attack_on_all_classes_can_take_is_said_beforehand(app):
    app.checkbox(key="experiment-tight").set_value(True).run()
    assert "The attack on all classes together takes 17 min at most on one processor" in shown(app)


def test_the_sessions_own_table(slow):
    others = plans_in_memory()
    data, study = example("diabetes")
    app = open_plans(data.frame, study)
    source = app.selectbox(key="experiment-source")
    assert source.options[-1] == "Your table: Example"
    source.set_value("session").run()
    assert not app.exception
    assert not app.error
    number = next(field for field in app.number_input if field.label == "Records in each")
    assert (number.value, number.max) == (round(0.8 * 442), 442)
    slow.allow(3)
    until(press(app, "Run"), 3)
    ((fingerprint, rows),) = kept(app).items()
    assert rows.lines[0].decode().startswith(f"{fingerprint},Example,")
    assert plans_in_memory(others)
    app.switch_page("pages/data.py").run()
    press(app, "Forget it all")
    assert kept(app) == {}
    del rows
    give_up = time.monotonic() + 300
    while plans_in_memory(others) and time.monotonic() < give_up:  # the run's thread lets go when it has ended
        time.sleep(0.1)
    assert not plans_in_memory(others)


@pytest.mark.usefixtures("slow")
def test_another_table_ends_the_run():
    made = synthesize("toy")
    app = open_plans(made.data, made.study)
    app.selectbox(key="experiment-source").set_value("session").run()
    press(app, "Run")
    ((_, job),) = app.session_state[state._JOBS].values()
    app.switch_page("pages/start.py").run()
    press(app, "Open Clinic")
    assert job.cancelled
    assert job.wait(300)
    app.switch_page("pages/experiments.py").run()
    assert not app.exception
    assert "Run" in labels(app)


def test_a_table_without_hierarchies_is_not_offered():
    app = open_plans(synthesize("toy").data)
    assert len(app.selectbox(key="experiment-source").options) == 3
    assert "Your own table appears here once it has hierarchies" in shown(app)


def test_a_study_that_does_not_fit_the_table_is_not_offered():
    app = open_plans(synthesize("toy").data, two())
    assert not app.exception
    assert len(app.selectbox(key="experiment-source").options) == 3


# ---------------------------------------------------------------- plans from files


def test_a_plan_from_a_file_runs(app, slow):
    take_a_plan(app, ("toy.toml", SIMPLE.encode()))
    assert "The plan is read: 4 runs." in [box.value.replace("\\", "") for box in app.success]
    slow.allow(4)
    until(press(app, "Run"), 4)
    assert any("All 4 runs are done" in box.value for box in app.success)
    press(app, "Forget this plan")
    assert any("Upload a plan" in box.value for box in app.info)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([("toy.toml", SIMPLE.replace("k = [2, 3]", "k = [2, 3").encode())], "toy.toml is not valid TOML"),
        ([("toy.toml", SIMPLE.replace("samples = 2", "samples = 0").encode())], "'samples' is 0"),
        ([("table.csv", b"x\n1\n")], "There is no plan among these files"),
    ],
)
def test_what_is_wrong_with_a_plan_is_one_sentence(app, files, says):
    take_a_plan(app, *files)
    assert says in error(app)
    assert "Run" not in labels(app)


# ---------------------------------------------------------------- stop and go on


def test_stop_go_on_and_finish(app, slow):
    take_a_plan(app, ("toy.toml", SIMPLE.encode()))
    slow.allow(1)
    until(press(app, "Run"), 1)
    assert "**1 of 4 runs**, about" in next(bar.proto.text for bar in app.get("progress"))
    assert "So far: 1 of 4 runs." in shown(app)
    assert app.radio(key="experiment-how").disabled
    assert alts(app)  # the picture is there while it runs
    press(app, "Stop")
    assert "Stop" not in labels(app)
    assert any("Stopped after 1 of 4 runs; 3 are left" in box.value for box in app.info)
    slow.allow(3)
    until(press(app, "Go on"), 4)
    assert slow.asked == [0, 1]  # nothing is run twice
    assert any("All 4 runs are done" in box.value for box in app.success)
    (rows,) = kept(app).values()
    plan = Plan.from_toml_text(SIMPLE)
    assert rows.lines == [csv_line([row[name] for name in columns(plan)]) for row, _ in run_rows(plan)]


def test_saved_rows_are_gone_on_from_in_another_session(app, slow):
    plan = Plan.from_toml_text(SIMPLE)
    lines = [csv_line(columns(plan)), *(csv_line([row[n] for n in columns(plan)]) for row, _ in run_rows(plan))]
    take_a_plan(app, ("toy.toml", SIMPLE.encode()))
    # Cut off in the middle of the third row.
    upload(app, "Results (CSV)", ("results.csv", b"".join(lines[:3]) + lines[3][:20]))
    assert any("2 runs of 4 are there" in box.value.replace("\\", "") for box in app.success)
    assert any("Stopped after 2 of 4 runs" in box.value for box in app.info)
    slow.allow(2)
    until(press(app, "Go on"), 4)
    assert slow.asked == [2]
    (rows,) = kept(app).values()
    assert rows.csv() == b"".join(lines)
    press(app, "Start again")
    assert "Run" in labels(app)
    assert kept(app) == {}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda content: content.replace(b",toy,", b",tow,"), "something else than results of this plan"),
        (lambda _: b"\xff\xfe", "something else than results of this plan"),
        (lambda content: content.replace(b",30,16,", b",thirty,16,"), "'records' is 'thirty', which is no whole"),
    ],
)
def test_rows_of_something_else_are_refused_in_one_sentence(app, change, says):
    plan = Plan.from_toml_text(SIMPLE)
    content = csv_line(columns(plan)) + b"".join(
        csv_line([row[name] for name in columns(plan)]) for row, _ in run_rows(plan)
    )
    assert change(content) != content
    take_a_plan(app, ("toy.toml", SIMPLE.encode()))
    upload(app, "Results (CSV)", ("results.csv", change(content)))
    assert says in error(app)
    assert kept(app) == {}


def test_rows_stay_with_their_plan(app, slow):
    slow.allow(50)
    until(press(app, "Run"), 50)
    app.number_input(key="experiment-seed").set_value(2).run()
    assert "Run" in labels(app)
    assert not alts(app)
    app.number_input(key="experiment-seed").set_value(1).run()
    assert any("All 50 runs are done" in box.value for box in app.success)


def test_a_run_that_fails_says_so_and_can_go_on(app, monkeypatch):
    def fail(*_):
        raise CRAError("A run failed for a*b.")
        yield b""

    monkeypatch.setattr(experiment_run, "stream", fail)
    press(app, "Run")
    app.run()
    assert error(app) == "A run failed for a*b."
    assert "Run" in labels(app)


# ---------------------------------------------------------------- results


def test_all_classes_together_are_shown_with_how_sure_they_are(app, slow):
    take_a_plan(app, ("toy.toml", SIMPLE.replace("samples = 2", "samples = 2\ntight_time_limit = 60").encode()))
    slow.allow(4)
    until(press(app, "Run"), 4)
    control = next(group for group in app.get("button_group") if group.label == "Ratio of")
    control.set_value("together").run()
    assert not app.exception
    assert "4 samples counted exactly, 0 estimated, 0 refused" in shown(app)
    assert not app.warning
    assert any(alt.startswith("The median further reduction, all classes together, is") for alt in alts(app))


def test_a_run_that_its_time_limit_cut_short_is_never_shown_as_finished(app, slow):
    take_a_plan(app, ("toy.toml", SIMPLE.replace("samples = 2", "samples = 2\ntight_time_limit = 0").encode()))
    slow.allow(4)
    until(press(app, "Run"), 4)
    control = next(group for group in app.get("button_group") if group.label == "Ratio of")
    control.set_value("together").run()
    (warning,) = app.warning
    assert warning.value.startswith("In 4 samples the time ran out.")
    assert "0 samples counted exactly, 0 estimated, 0 refused" in shown(app)


def test_while_it_runs_pictures_change_in_steps(monkeypatch):
    seen = []
    monkeypatch.setattr(experiment_view, "Results", lambda content: seen.append(content) or 1 / 0)
    monkeypatch.setattr(experiment_view.state, "once", lambda _, key, compute: (seen.append(key), compute()))
    rows = experiment_run.Rows(400, b"head\n", [b"row\n"] * 57)
    with pytest.raises(ZeroDivisionError):
        experiment_view.show_results(None, Plan.from_toml_text(SIMPLE), rows, going=True)
    assert seen[1].count(b"row") == 50  # steps of 400 / 40
    seen.clear()
    with pytest.raises(ZeroDivisionError):
        experiment_view.show_results(None, Plan.from_toml_text(SIMPLE), rows, going=False)
    assert seen[1].count(b"row") == 57


def test_the_report_loads_nothing(app, slow):
    take_a_plan(app, ("toy.toml", SIMPLE.encode()))
    slow.allow(4)
    until(press(app, "Run"), 4)
    (rows,) = kept(app).values()
    page = report_files(Results(rows.csv()))["report.html"]
    assert "default-src 'none'" in page
    assert "4 releases: 1 configurations, k = 2, 3." in page
