"""All lessons, from first to last, as a learner does them: each step is done by doing, never by going on."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.handed_in import handed_in
from cra_dashboard.lessons.registry import QUESTION, VIEWS

# What a learner does in each step, in words of the page.
REVEAL = [("predict",)]
DOINGS = {
    "intervals": [[("press", "Forward")], [("end",)], [("pick", "Class", "Class 4:")]],
    "hierarchies": [
        [("fill", "weight: layers", "4")],
        [("fill", "weight: layers", "3")],
        REVEAL,
        [("press", "Forward"), ("press", "Forward")],
    ],
    "greedy": [REVEAL, [("press", "Forward"), ("press", "Forward")], REVEAL, [("end",)]],
    "stealing": [REVEAL, [("pick", "Class", "Class 6:")], [("choose", "Look at", "The whole release")]],
    "halves": [REVEAL, REVEAL, [("press", "Next"), ("press", "Next")]],
    "counting": [
        REVEAL,
        [("press", "Next"), ("press", "Next"), ("press", "Next")],
        [("pick", "Class", "Class 5:"), ("pick", "Class", "Class 7:")],
    ],
    "larger-k": [REVEAL, [("fill", "k", "5")], [("pick", "Class", "Class 4:")]],
    "suppressed": [REVEAL, REVEAL, [("pick", "Why is it certain?", "One person: age from 40")]],
    "singling-out": [REVEAL, REVEAL, [("pick_in", ".st-key-single-out-predicates", "Class 6")]],
    "limits": [
        REVEAL,
        [("choose", "How the publisher runs ARX", "As the ARX desktop program")],
        [("fill", "weight: layers", "2"), ("fill", "age: layers", "2")],
        [("pick", "Class", "Class 0:")],
    ],
    "largest-contributor": [
        [("pick", "Cluster", "5:")],
        REVEAL,
        [("forward",)],
        [("toggle", "Merge until no cell is sensitive")],
    ],
    "other-side": [
        REVEAL,
        [("choose", "Look at", "A row's people")],
        [("choose", "Values drawn", "Ours")],
    ],
    "pruning": [
        [("press", "Recode globally")],
        REVEAL,
        REVEAL,
        REVEAL,
        [("slide", "Suppressed records, at most", "50 %"), ("press", "Recode globally")],
    ],
    "minimal": [
        REVEAL,
        [("choose", "Show", "Concluded"), ("choose", "Show", "Truth")],
        [("slide", "Attributes", "64")],
    ],
    "two-releases": [
        REVEAL,
        [("choose", "Put together", "1: k = 4"), ("choose", "Put together", "and 2: k = 7")],
        [("pill", "k = 8"), ("pill", "k = 4")],
    ],
    "diversity": [REVEAL, REVEAL, REVEAL],
    "defend-anna": [
        REVEAL,
        [("home",), ("slide", "Epsilon", "1")],
        REVEAL,
        [("choose", "Picture", "Second inside the first")],
    ],
}


def act(browser, kind, *arguments):
    """Do one thing as the learner does it."""
    if kind == "predict":
        (group,) = drive._wait(
            browser, lambda: drive._all(browser, ".st-key-predict [data-testid='stRadio']"), "there is no question"
        )
        label = group.find_elements(By.CSS_SELECTOR, "label")[-1]
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'});", label)
        label.click()
        drive.wait_until_idle(browser)
        drive.press(browser, "Reveal")
    elif kind in {"end", "home"}:
        slider = browser.find_element(By.CSS_SELECTOR, '[data-testid="stSlider"] input')
        browser.execute_script("arguments[0].focus()", slider)
        slider.send_keys(Keys.END if kind == "end" else Keys.HOME)
        drive.wait_until_idle(browser)
    elif kind in {"pick", "pick_in"}:
        # The first option that begins like this.
        place, option = arguments
        box = drive._widget(browser, "stSelectbox", place) if kind == "pick" else browser
        field = box.find_element(By.CSS_SELECTOR, "input" if kind == "pick" else f"{place} input")
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'});", field)
        field.send_keys(option, Keys.ENTER)
        drive.wait_until_idle(browser)
    elif kind == "slide":
        # The keys of a slider go one place at a time.
        label, wanted = arguments
        slider = drive._widget(browser, "stSlider", label)
        thumb = slider.find_element(By.CSS_SELECTOR, "input")
        browser.execute_script("arguments[0].focus()", thumb)
        for _ in range(20):
            if wanted in slider.text:
                break
            thumb.send_keys(Keys.ARROW_RIGHT)
        drive.wait_until_idle(browser)
    elif kind == "forward":
        thumb = browser.find_element(By.CSS_SELECTOR, '[data-testid="stSlider"] input')
        browser.execute_script("arguments[0].focus()", thumb)
        thumb.send_keys(Keys.ARROW_RIGHT)
        drive.wait_until_idle(browser)
    elif kind == "pill":
        pills = ".st-key-together-releases button"
        drive._click(browser, lambda: [e for e in drive._all(browser, pills) if e.text == arguments[0]], arguments[0])
        drive.wait_until_idle(browser)
    elif kind == "toggle":
        drive._click(browser, lambda: drive._shown(browser, "label", arguments[0]), f"toggle {arguments[0]}")
        drive.wait_until_idle(browser)
    else:
        {"press": drive.press, "fill": drive.fill, "choose": drive.choose}[kind](browser, *arguments)


def panel(browser):
    found = drive._wait(browser, lambda: drive._all(browser, ".st-key-lesson"), "there is no panel of a lesson")
    return found[0].text


def says(browser, *texts):
    """Wait until the panel holds these texts: a busy machine takes its time after a click."""
    drive._wait(browser, lambda: all(text in panel(browser) for text in texts), f"the panel does not say {texts}")


_SIGHT = """
const bar = document.querySelector('[data-testid="stHeader"]').getBoundingClientRect().bottom;
const drawn = css => {
    const found = document.querySelector(css);
    if (found === null) return null;
    const parts = [...found.querySelectorAll('[data-testid="stPlotlyChart"], [data-testid="stBidiComponentIsolated"]')];
    const boxes = (parts.length ? parts : [found]).map(part => part.getBoundingClientRect());
    const [top, bottom] = [Math.min(...boxes.map(box => box.top)), Math.max(...boxes.map(box => box.bottom))];
    return bottom - top > 20 ? [top - bar, innerHeight - bottom] : null;
};
return [...arguments].map(drawn).find(place => place !== null) ?? null;
"""


def in_sight(browser, step, where):
    """Wait until the figure that a step speaks of is inside the window, below the page's own bar."""

    def inside():
        found = browser.execute_script(_SIGHT, *(VIEWS[name].css for name in (step.figure, QUESTION, step.view)))
        return found is not None and min(found) >= -1  # parts of a pixel

    drive._wait(browser, inside, f"{where}: the figure is out of sight")


# The panel's border is around all of it, its head stays on top, and what was found is above the buttons that go on; of
# a long text the beginning is in sight, the answer first.
_READ = """
const parts = ['[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)', '.st-key-lesson', '.st-key-lesson-top',
    '.st-key-lesson-found', '.st-key-lesson-on', '.st-key-lesson [data-testid="stAlert"]'];
const [panel, border, head, found, on, answer] = parts.map(css => document.querySelector(css)?.getBoundingClientRect());
const top = (answer ?? found)?.top;
return found && border.bottom >= on.bottom && head.top >= panel.top && top >= head.bottom - 1
    && (found.bottom <= on.top + 1 || top < head.bottom + 44);
"""


def test_in_front_of_others_no_line_of_a_question_is_cut_once_it_is_answered(browser, app_url):
    """The lesson's head lay over the middle of its first line."""
    present_question(browser, f"{app_url}/safe_recoding?example=toy&lesson=defend-anna&lesson_step=0")
    act(browser, "predict")
    whole = f"""
        const read = (() => {{{_READ}}})();
        const head = document.querySelector('.st-key-lesson-top').parentElement.getBoundingClientRect();
        const asked = document.querySelector('.st-key-predict p'), text = document.createRange();
        text.selectNodeContents(asked);
        const letters = parseFloat(getComputedStyle(asked).fontSize), lines = [...text.getClientRects()];
        const hidden = lines.map(line => head.bottom - (line.top + line.bottom - letters) / 2);
        return read && hidden.at(-1) <= 1 && hidden.every(part => part <= 1 || part >= letters - 1);
    """
    drive._wait(browser, lambda: browser.execute_script(whole), "a line is cut", 10)


def framed(browser, view):
    """Whether the view that the lesson points at is on the page; a part of it is outlined."""
    (found,) = drive._wait(browser, lambda: drive._all(browser, view.css), f"{view.called} is not on the page")
    if view is VIEWS[QUESTION]:
        return True
    return browser.execute_script("return getComputedStyle(arguments[0]).outlineStyle;", found) == "dashed"


@pytest.mark.parametrize(("lesson", "step"), [("intervals", 1), ("suppressed", 0)])
def test_the_star_of_a_suppressed_row_is_read_from_far_away(browser, app_url, lesson, step):
    """It was a dot in small green type."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson={lesson}&lesson_step={step}")
    if lesson == "suppressed":
        act(browser, "predict")
    drive._wait(browser, lambda: drive._all(browser, ".st-key-lesson code"), "there is no star")
    looks = """
        const look = e => { const s = getComputedStyle(e); return [s.color, parseFloat(s.fontSize)]; };
        return [...document.querySelectorAll('.st-key-lesson code')]
            .map(star => [star.textContent, look(star), look(star.parentElement)]);
    """
    stars = browser.execute_script(looks)
    assert len(stars) == (3 if lesson == "suppressed" else 1)  # with that of the reason
    for text, (colour, size), (around, beside) in stars:
        assert (text, colour) == ("*", around)
        assert size >= max(24, 1.5 * beside)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (640, 360), (390, 844)])
def test_after_the_answer_the_text_comes_into_sight_by_one_press(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson=suppressed&lesson_step=0")
    act(browser, "predict")
    says(browser, "Done.")
    assert "the grey dot among the boxes" not in panel(browser)
    drive.press(browser, "The whole text")
    below = """
        const [head, text] = ['.st-key-lesson-top', '.st-key-lesson-whole']
            .map(css => document.querySelector(css)?.getBoundingClientRect());
        return text && text.top >= head.bottom - 1 && text.top < innerHeight - 60;
    """
    drive._wait(browser, lambda: browser.execute_script(below), "the text is out of sight")
    drive.press(browser, "Next step")
    says(browser, "step 2 of 3", "Reveal", "Back")
    assert drive.too_wide(browser) == 0


def test_a_lesson_opens_with_the_bar_of_the_table_whole(browser, app_url):
    drive.set_screen(browser, 1280, 720)
    for step in (0, 1):
        drive.open_app(browser, f"{app_url}/hierarchies?lesson=hierarchies&lesson_step={step}")
        says(browser, "Do this:")
        in_sight(browser, all_lessons()["hierarchies"].step[step], step)
        inside = "return document.querySelector(arguments[0])?.getBoundingClientRect().bottom < innerHeight - 10"
        frame = VIEWS["hierarchy-layers"].css
        drive._wait(browser, lambda: browser.execute_script(inside, frame), "the frame is out of sight")  # noqa: B023
        assert browser.execute_script("return document.querySelector('[data-testid=\"stMain\"]').scrollTop") == 0


def test_the_next_step_begins_at_the_top_of_its_page_wherever_the_one_before_was_left(browser, app_url):
    drive.set_screen(browser, 1440, 900)
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson=greedy&lesson_step=1")
    says(browser, "step 2 of 4")
    drive.wait_until_idle(browser)
    main = "document.querySelector('[data-testid=\"stMain\"]').scrollTop"
    browser.execute_script(f"document.dispatchEvent(new Event('wheel')); {main} = 300")
    drive._wait(browser, lambda: browser.execute_script(f"return {main}") > 200, "the page does not move")
    drive.press(browser, "Skip step")
    says(browser, "step 3 of 4")
    drive.wait_until_idle(browser)
    assert browser.execute_script(f"return {main}") == 0


ASKING = [(lesson.id, at) for lesson in all_lessons().values() for at, step in enumerate(lesson.step) if step.question]
# Between the head of the panel and what is pressed, both of which stay in sight; null while there is no answer.
_CUT = """
const box = css => document.querySelector(css).getBoundingClientRect();
const answers = [...document.querySelectorAll('.st-key-predict [role="radiogroup"] label')];
if (!answers.length) return null;
const [top, bottom] = [box('.st-key-lesson-top').bottom, box('.st-key-predict-on').top];
const out = (answer, at = answer.getBoundingClientRect()) => at.top < top - 1 || at.bottom > bottom + 1;
const pressed = box('.st-key-predict-on button');
return [...answers.filter(answer => out(answer)).map(answer => answer.innerText),
    ...(pressed.top > 0 && pressed.bottom <= innerHeight ? [] : ["Reveal"])];
"""


@pytest.mark.parametrize(
    ("steps", "width", "height", "before_others"),
    [
        ([("singling-out", 0)], 1280, 720, False),
        ([("singling-out", 0)], 1280, 720, True),
        ([("singling-out", 0), ("defend-anna", 0)], 390, 844, False),
        pytest.param(ASKING, 1280, 720, False, marks=pytest.mark.exhaustive),
        pytest.param(ASKING, 1280, 720, True, marks=pytest.mark.exhaustive),
        pytest.param(ASKING, 1440, 900, True, marks=pytest.mark.exhaustive),
        pytest.param(ASKING, 390, 844, False, marks=pytest.mark.exhaustive),
    ],
)
def test_all_answers_of_a_question_are_in_sight(browser, app_url, steps, width, height, before_others):
    """Whoever sees some of the answers only takes one of these."""
    drive.set_screen(browser, width, height)
    for lesson, at in steps:
        step = all_lessons()[lesson].step[at]
        drive.open_app(browser, f"{app_url}/{step.page}?lesson={lesson}&lesson_step={at}")
        says(browser, f"step {at + 1} of ")
        if before_others:
            present(browser)
        if step.question == "what_follows":  # of a picture that is drawn when it is asked for
            drive.press(browser, "Recode globally")
        if before_others:
            says(browser, "Show the answer")
        said = f"lesson {lesson}, step {at + 1}: not all answers are in sight"
        drive._wait(browser, lambda: browser.execute_script(_CUT) == [], said)


def test_every_step_of_every_lesson_has_a_doing():
    assert {lesson.id: len(lesson.step) for lesson in all_lessons().values()} == {
        name: len(steps) for name, steps in DOINGS.items()
    }


EVERY = tuple(lesson.number for lesson in all_lessons().values())


@pytest.mark.parametrize(
    ("numbers", "width", "height"),
    [
        ((5,), 1280, 720),
        pytest.param(EVERY, 1280, 720, marks=pytest.mark.exhaustive),
        pytest.param(EVERY, 1440, 900, marks=pytest.mark.exhaustive),
    ],
)
def test_lessons_from_first_to_last(browser, app_url, monkeypatch, numbers, width, height):
    """Every step is done by doing it, and the figure that it speaks of is in the window when it begins and ends."""
    # Every step waits for what the panel says, so a short rest suffices between.
    monkeypatch.setattr(drive, "SETTLED", 0.2)
    drive.set_screen(browser, width, height)
    drive.open_app(browser, app_url)
    for before, lesson in enumerate(lesson for lesson in all_lessons().values() if lesson.number in numbers):
        drive.open_page(browser, "Lessons")
        drive.wait_for_text(browser, f"{before} of {len(DOINGS)} lessons done")
        drive.press(browser, f"{lesson.number}. {lesson.title}")
        for place, doings in enumerate(DOINGS[lesson.id]):
            step, where = lesson.step[place], f"lesson {lesson.number}, step {place + 1}"
            says(browser, f"Lesson {lesson.number}", f"step {place + 1} of {len(lesson.step)}", "Do this:")
            assert urlpath(browser) == step.page, where
            assert framed(browser, VIEWS[step.view]), where
            in_sight(browser, step, f"{where} begins")
            drive.picture(browser, f"lesson-{lesson.number}-{place + 1}-task")
            for number, doing in enumerate(doings):
                # Not done yet, and nothing to press that goes on as if it were.
                assert "Done." not in panel(browser), f"{where}, before doing {number + 1}"
                assert "Next step" not in panel(browser), where
                act(browser, *doing)
            says(browser, f"Lesson {lesson.number}", f"step {place + 1} of {len(lesson.step)}", "Done.")
            in_sight(browser, step, f"{where} ends")
            drive._wait(browser, lambda: browser.execute_script(_READ), f"{where}: what was found is below the fold")
            drive.assert_no_exception(browser)
            assert drive.too_wide(browser) == 0
            drive.picture(browser, f"lesson-{lesson.number}-{place + 1}-done")
            if place + 1 < len(lesson.step):
                drive.press(browser, "Next step")
        drive.press(browser, "To the list")
    drive.wait_for_text(browser, f"{len(numbers)} of {len(DOINGS)} lessons done")
    assert drive.console_errors(browser) == []
    assert drive.outside_addresses(browser) == []


_PRESENT = """
const buttons = [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('button')).filter(Boolean);
return buttons.find(b => ['Present', 'End'].includes(b.textContent)) ?? null;
"""


def present(browser):
    """Press what begins, or ends, to present."""
    drive._wait(browser, lambda: browser.execute_script(_PRESENT), "nothing presents the lesson").click()
    drive.wait_until_idle(browser)


def present_question(browser, url):
    """Present a lesson's step that begins with a question, on a small projector."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, url)
    says(browser, "Reveal")
    present(browser)


def whole_in_window(browser, css):
    """Whether all that belongs to a view can be seen and pressed."""
    return browser.execute_script(
        "const inside = e => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; };"
        "return [...document.querySelectorAll(`${arguments[0]}, ${arguments[0]} button`)].every(inside)",
        css,
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 720), pytest.param(1440, 900, marks=pytest.mark.exhaustive)])
def test_a_lesson_in_front_of_others(browser, app_url, width, height):
    """As the story is presented: large type, one step after the other by the arrow keys, answers when asked for."""
    drive.set_screen(browser, width, height)
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson=intervals&lesson_step=0")
    found, stepper = "The first step publishes", VIEWS["stepper"].css
    says(browser, "Do this:")
    assert whole_in_window(browser, stepper)
    letters = (
        "const told = [...document.querySelectorAll('.st-key-lesson p')].find(p => p.innerText.length > 60);"
        "return parseFloat(getComputedStyle(told).fontSize)"
    )
    before = browser.execute_script(letters)
    present(browser)
    drive._wait(browser, lambda: browser.execute_script(letters) >= 1.3 * before, "the type is not large")
    assert whole_in_window(browser, stepper)
    # The key of the page itself would step on: here it waits for what is to be done.
    drive.hit(browser, Keys.ARROW_RIGHT)
    assert "Before the first step" in drive.text(browser)
    drive.press(browser, "Forward")
    says(browser, "Show the answer")
    assert found not in panel(browser)
    drive.hit(browser, Keys.PAGE_DOWN)
    says(browser, found)
    drive.hit(browser, Keys.ARROW_RIGHT)
    says(browser, "step 2 of 3", "Do this:")
    # What was shown stays shown, beside the picture as it was.
    drive.hit(browser, Keys.ARROW_LEFT)
    says(browser, "step 1 of 3", found)
    assert "Step 1 of 5" in drive.text(browser)
    present(browser)
    drive._wait(browser, lambda: browser.execute_script(letters) <= before, "the type stays large")
    assert drive.too_wide(browser) == 0
    # A question is answered without anybody's prediction, which counts for nothing; Esc ends.
    drive.open_app(browser, f"{app_url}/attack?example=toy&lesson=halves&lesson_step=0")
    says(browser, "Do this:")
    present(browser)
    assert "The answer: 1 or 2." not in panel(browser)
    assert whole_in_window(browser, ".st-key-lesson-show")
    drive.hit(browser, Keys.ARROW_RIGHT)
    says(browser, "The answer: 1 or 2.", "Next step")
    assert "predictions" not in panel(browser)
    drive.hit(browser, Keys.ARROW_RIGHT)
    says(browser, "step 2 of 3", "Show the answer")
    drive.hit(browser, Keys.ARROW_LEFT)
    says(browser, "step 1 of 3", "The answer: 1 or 2.")
    drive.picture(browser, f"lesson-presented-{width}")
    drive.hit(browser, Keys.ESCAPE)
    drive._wait(
        browser, lambda: browser.execute_script(_PRESENT).text == "Present", "Esc does not end the presentation"
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
@pytest.mark.parametrize(
    ("page", "lesson", "step"), [("attack", "intervals", 2), ("attack", "halves", 2), ("hierarchies", "hierarchies", 0)]
)
def test_in_front_of_others_a_map_with_choices_beside_it_is_as_large_as_without_present(
    browser, app_url, page, lesson, step, width, height
):
    """Its choices had 45 of 100 parts of the room, and the picture was smaller than in front of one; yet three words a
    line are not read from far away.
    """
    drive.set_screen(browser, width, height)
    drive.open_app(browser, f"{app_url}/{page}?example=toy&lesson={lesson}&lesson_step={step}")
    says(browser, "Do this:")
    across = """
        const drawn = document.querySelector('.st-key-stage [data-testid="stBidiComponentIsolated"]');
        return drawn ? drawn.getBoundingClientRect().width : 0;
    """
    alone = drive._wait(browser, lambda: browser.execute_script(across), "there is no picture")
    present(browser)
    room = """
        const box = css => document.querySelector(css).getBoundingClientRect();
        const drawn = box('.st-key-stage [data-testid="stBidiComponentIsolated"]'), way = box('.st-key-way');
        const choices = box('.st-key-stage-controls'), on = box('[data-testid="stMain"] ' + arguments[0]);
        const told = document.querySelector('.st-key-stage-controls p');
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(told).font;
        const tabs = [...document.querySelectorAll('.st-key-way-views a')].map(one => one.getBoundingClientRect().top);
        return {
            width: drawn.width,
            apart: choices.left >= drawn.right && choices.right <= innerWidth,
            inside: [drawn, on].every(one => one.top >= way.bottom && one.bottom <= innerHeight),
            letters: choices.width / (pen.measureText('The records of this class lie in').width / 32),
            large: parseFloat(pen.font.match(/[0-9.]+px/)[0]),
            lines: new Set(tabs).size,
        };
    """
    view = VIEWS[all_lessons()[lesson].step[step].view].css
    found = {}

    def as_large():
        found.update(browser.execute_script(room, view))
        return found["width"] >= alone and found["inside"] and found["lines"] == 1

    drive._wait(browser, as_large, "the picture is smaller, not in sight, or below two lines of tabs", 10)
    assert found["apart"]
    assert found["letters"] >= 30
    assert found["large"] >= 1.1 * 16


@pytest.mark.parametrize(
    ("page", "lesson", "step"), [("single_out", "singling-out", 0), ("recode", "greedy", 0), ("recode", "greedy", 1)]
)
def test_in_front_of_others_the_picture_is_larger_not_smaller(browser, app_url, page, lesson, step):
    """It gave its width to choices that the step does not need, and to none."""
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/{page}?example=toy&lesson={lesson}&lesson_step={step}")
    says(browser, "Do this:")
    width = """
        const boxes = [...document.querySelectorAll('.st-key-stage [data-testid="stBidiComponentIsolated"]')]
            .map(drawn => drawn.getBoundingClientRect());
        const inside = boxes.every(box => box.right <= innerWidth && box.bottom <= innerHeight);
        return inside ? Math.min(...boxes.map(box => box.width)) : 0;
    """
    drive._wait(browser, lambda: browser.execute_script(width) > 0, "the picture is out of sight")
    alone = browser.execute_script(width)
    present(browser)
    drive._wait(browser, lambda: alone < browser.execute_script(width), "the picture has shrunk")
    if step == 0:
        drive.hit(browser, Keys.ARROW_RIGHT)
        says(browser, "The answer", "Next step")
        drive._wait(browser, lambda: alone < browser.execute_script(width), "the picture has shrunk")


def test_in_front_of_others_what_a_question_is_answered_by_stays_beside_the_picture(browser, app_url):
    present_question(browser, f"{app_url}/who_has_what?lesson=diversity&lesson_step=0")
    (table,) = drive._all(browser, ".st-key-stage-controls [data-testid='stDataFrame']")
    assert table.is_displayed()


def test_in_front_of_others_what_draws_the_picture_of_a_question_can_be_pressed(browser, app_url):
    """The button was gone with the choices."""
    present_question(browser, f"{app_url}/global_recoding?lesson=pruning&lesson_step=1")
    says(browser, "Show the answer")
    (button,) = browser.find_elements(By.XPATH, "//button[contains(., 'Recode globally')]")
    assert button.is_displayed()


def urlpath(browser):
    return browser.current_url.split("?")[0].rsplit("/", 1)[-1]


HAND_IN = """
    const inside = (root) => [...root.querySelectorAll("*")].map((part) => part.shadowRoot).filter(Boolean);
    const find = (root) => root.querySelector(".hand-in") ?? inside(root).map(find).find(Boolean);
    return find(document);
"""


def test_a_student_hands_in_with_a_name_and_without(browser, app_url, tmp_path):
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Lessons")
    drive.put_downloads(browser, tmp_path)
    form = drive._wait(browser, lambda: browser.execute_script(HAND_IN), "there is no form")
    form.find_element("css selector", "button").click()
    assert handed_in(drive.downloaded(tmp_path, "handed-in.html").read_text("utf-8")).name == ""
    name = "=Zoë </script><b>&amp; ../x"
    form.find_element("css selector", "input").send_keys(name)
    form.find_element("css selector", "button").click()
    text = drive.downloaded(tmp_path, "handed-in-Zoë-script-b-amp-x.html").read_text("utf-8")
    assert handed_in(text).name == name
    assert "Saved: handed-in-Zoë-script-b-amp-x.html" in form.text
    assert "send it to your lecturer" in form.text
    browser.get(f"file://{tmp_path}/handed-in-Zoë-script-b-amp-x.html")
    assert f"Name: {name}" in browser.find_element("tag name", "body").text
    assert browser.execute_script("return document.querySelectorAll('script, b').length") == 1
