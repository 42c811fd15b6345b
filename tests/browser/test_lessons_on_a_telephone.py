"""Lessons on a telephone and in a small window: the panel, the question and its picture are seen together."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import drive
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.registry import VIEWS
from test_lessons import act, panel, says


@pytest.mark.parametrize(
    ("page", "lesson", "step"),
    [("hierarchies", "hierarchies", 0), ("attack", "stealing", 1), ("safe_recoding", "defend-anna", 1)],
)
def test_on_a_telephone_the_panel_lies_below_what_there_is_to_act_on(browser, app_url, page, lesson, step):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/{page}?lesson={lesson}&lesson_step={step}")
    says(browser, "Do this:")
    view = VIEWS[all_lessons()[lesson].step[step].view]
    inside = """
        const panel = document.querySelector('[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)');
        const [frame, below] = [document.querySelector(arguments[0]), panel].map(one => one.getBoundingClientRect());
        return frame.top >= 60 && frame.bottom <= below.top && below.bottom <= innerHeight + 1
            && panel.scrollHeight <= panel.clientHeight + 1;
    """
    drive._wait(browser, lambda: browser.execute_script(inside, view.css), "the frame is out of sight")
    # Whoever moves away from it comes back by one touch.
    browser.execute_script("""
        document.dispatchEvent(new Event('touchmove'));
        document.querySelector('[data-testid="stMain"]').scrollTop += 700;
    """)
    drive._wait(browser, lambda: not browser.execute_script(inside, view.css), "the page does not move")
    drive.press(browser, f"Look at the dashed frame: {view.called}")
    drive._wait(browser, lambda: browser.execute_script(inside, view.css), "the frame is out of sight")


def test_on_a_telephone_the_frame_crosses_no_words(browser, app_url):
    drive.set_screen(browser, 390)
    # In lesson 1 the words above and below the buttons are outside the frame of 7 pixels around them.
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson=intervals&lesson_step=1")
    apart = """
        const [above, frame, below] = ['[data-testid="stMain"] h1', arguments[0], '.st-key-stage-heading h3']
            .map(css => document.querySelector(css).getBoundingClientRect());
        return Math.min(frame.top - above.bottom, below.top - frame.bottom);
    """
    assert browser.execute_script(apart, VIEWS["stepper"].css) >= 7


def test_two_pictures_on_a_telephone_have_no_word_over_another_and_none_outside(browser, app_url):
    drive.set_screen(browser, 390)
    drive.open_app(browser, f"{app_url}/recode?example=toy&lesson=greedy&lesson_step=0")
    said = """
        const found = [], trees = [document];
        for (const tree of trees) {
            trees.push(...[...tree.querySelectorAll('*')].map(one => one.shadowRoot).filter(Boolean));
            for (const svg of tree === document ? [] : tree.querySelectorAll('svg')) {
                const texts = [...svg.querySelectorAll('text')].filter(one => one.textContent)
                    .map(one => [one.textContent, one.getBoundingClientRect()]).filter(([_, {width}]) => width);
                const frame = svg.getBoundingClientRect();
                for (const [text, {left, right, top, bottom}] of texts) {
                    const [across, down] = [Math.max(frame.left - left, right - frame.right),
                        Math.max(frame.top - top, bottom - frame.bottom)];
                    if (Math.max(across, down) > 1)
                        found.push(`${text} is cut`);
                    for (const [other, box] of texts)
                        if (other > text && box.left < right - 1 && left < box.right - 1
                            && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 0.4 * (bottom - top))
                            found.push(`${text} lies over ${other}`);
                }
                window.seen = (window.seen ?? 0) + texts.length;
            }
        }
        return [window.seen, found];
    """
    drive._wait(browser, lambda: browser.execute_script(said)[0], "nothing is drawn")
    seen, found = browser.execute_script(said)
    assert seen > 20
    assert found == []


@pytest.mark.parametrize("width", [390, 1280])
def test_boxes_of_two_releases_say_their_people_behind_their_number(browser, app_url, width):
    drive.set_screen(browser, width, 844)
    drive.open_app(browser, f"{app_url}/safe_recoding?lesson=defend-anna&lesson_step=2")
    says(browser, "Reveal")
    drive.wait_until_idle(browser)
    read = """
        const roots = [...document.querySelectorAll('.st-key-stage *')].map(one => one.shadowRoot).filter(Boolean);
        const texts = roots.map(root => [...root.querySelectorAll('.texts text')].filter(one => one.textContent));
        const type = texts.flat().map(one => parseFloat(getComputedStyle(one).fontSize));
        const cut = roots.flatMap((root, at) => texts[at].filter(one => {
            const box = one.getBoundingClientRect(), inside = (x, y) => x.left < y.left && y.right < x.right;
            const around = [...root.querySelectorAll('.borders rect')].map(other => other.getBoundingClientRect());
            return !around.some(other => Math.abs(other.top - box.top) < 12 && inside(other, box));
        }));
        return [texts.map(all => all.map(one => one.textContent)), Math.min(...type), cut.map(one => one.textContent)];
    """
    (first, second), type_size, cut = browser.execute_script(read)
    assert {"4: 11", "3: 5"} <= set(first)
    assert {"4: 4", "0: 6"} <= set(second)
    assert all(len(said.split(": ")) == 2 for said in first + second)
    assert type_size >= 12
    assert cut == []


def test_on_a_telephone_a_question_about_two_pictures_leaves_both_in_sight(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/recode?lesson=suppressed&lesson_step=0")
    drive.wait_until_idle(browser)
    panel = "document.querySelector('[data-testid=\"stLayoutWrapper\"]:has(> .st-key-lesson)')"
    for name in ("recode-lattice", "recode-grid"):
        place = f"document.querySelector('.st-key-{name}').getBoundingClientRect()"
        drive._wait(
            browser,
            lambda place=place: browser.execute_script(
                f"const at = {place}; return at.top >= 0 && at.width > 120 "
                f"&& at.bottom <= {panel}.getBoundingClientRect().top + 1 && at.right <= innerWidth;"
            ),
            f"{name} is not in sight",
        )


def test_on_a_telephone_a_reason_that_was_asked_for_is_in_sight(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/all_classes?lesson=suppressed&lesson_step=2")
    drive.wait_until_idle(browser)
    browser.execute_script(
        """
        const root = [...document.querySelectorAll('.st-key-certain-map *')].find(one => one.shadowRoot).shadowRoot;
        const cells = root.querySelector('.cells'), at = cells.getBoundingClientRect();
        const where = {clientX: at.left + 0.375 * at.width, clientY: at.top + 0.875 * at.height, bubbles: true};
        cells.dispatchEvent(new MouseEvent('click', where));
        """
    )
    drive._wait(
        browser,
        lambda: browser.execute_script(
            "const at = document.querySelector('.st-key-reasons')?.getBoundingClientRect();"
            "return at && at.height > 20 && at.top >= 0 && at.top < innerHeight / 2;"
        ),
        "the reason is not in sight",
    )


def test_on_a_telephone_a_question_stands_below_its_picture(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/attack?example=toy&lesson=stealing&lesson_step=0")
    says(browser, "Reveal")
    together = """
        const [figure, panel] = [arguments[0], '[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)']
            .map(css => document.querySelector(css).getBoundingClientRect());
        return figure.top >= 0 && figure.bottom <= panel.top + 1 && panel.bottom <= innerHeight + 1;
    """
    picture = ".st-key-stage [data-testid='stBidiComponentIsolated']"
    drive._wait(browser, lambda: browser.execute_script(together, picture), "picture and question are not in sight")


@pytest.mark.parametrize(
    ("page", "lesson", "again"), [("single_out", "singling-out", True), ("heterogeneous", "other-side", False)]
)
def test_on_a_telephone_the_picture_of_an_answer_stands_above_what_is_said_of_it(browser, app_url, page, lesson, again):
    """Of a question that was answered before a reload, the row with the answer was below the panel."""
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/{page}?lesson={lesson}&lesson_step=0")
    above = """
        const parts = '.st-key-stage :is([data-testid="stBidiComponentIsolated"], [data-testid="stPlotlyChart"])';
        const [figure, panel, answer] = [parts, '[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)',
            '.st-key-lesson [data-testid="stAlert"]'].map(css => document.querySelector(css).getBoundingClientRect());
        return figure.top >= 40 && figure.bottom <= panel.top + 1 && panel.bottom <= innerHeight + 1
            && answer.bottom > panel.top && answer.bottom < innerHeight;
    """
    if again:
        act(browser, "predict")
        says(browser, "Done.")
        browser.refresh()
        says(browser, "Reveal")
        assert "Done." not in panel(browser)
    act(browser, "predict")
    says(browser, "Done.")
    drive._wait(browser, lambda: browser.execute_script(above), "the panel lies over the picture")


def test_on_a_telephone_the_menu_lies_over_a_question_that_has_a_line_per_answer(browser, app_url):
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/single_out?lesson=singling-out&lesson_step=0")
    says(browser, "Reveal")
    tops = """
        const answers = [...document.querySelectorAll('.st-key-predict [role="radiogroup"] label')];
        const asked = [...document.querySelectorAll('.st-key-predict p')];
        const ask = asked.find(one => one.innerText.includes('in which cell'));
        const said = getComputedStyle(ask, '::before').content;
        return [answers.at(-1).innerText, new Set(answers.map(e => e.getBoundingClientRect().top)).size, said];
    """
    assert browser.execute_script(tops) == ["None of these", 6, '"Do this: predict. "']
    on_top = "return document.elementFromPoint(60, 800).closest('[data-testid=\"stSidebar\"]') !== null;"
    assert not browser.execute_script(on_top)
    browser.find_element(By.CSS_SELECTOR, '[data-testid="stExpandSidebarButton"]').click()
    drive._wait(browser, lambda: browser.execute_script(on_top), "the question lies over the menu")


@pytest.mark.parametrize(("width", "height"), [(640, 360), (390, 844)])
@pytest.mark.parametrize("lesson", ["singling-out", "halves", "suppressed", "defend-anna"])
def test_in_a_small_window_a_question_and_its_picture_are_seen_together(browser, app_url, width, height, lesson):
    """At double size, and on a telephone: the step's text had filled the window."""
    drive.set_screen(browser, width, height)
    step = all_lessons()[lesson].step[0]
    drive.open_app(browser, f"{app_url}/{step.page}?lesson={lesson}&lesson_step=0")
    says(browser, "The whole text", "Reveal")
    together = """
        const found = [...document.querySelectorAll('.st-key-stage [data-testid="stBidiComponentIsolated"]')];
        const picture = found.map(one => one.getBoundingClientRect());
        const [panel, asked] = ['[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)', '.st-key-predict p']
            .map(css => document.querySelector(css).getBoundingClientRect());
        const apart = at => at.left >= panel.right - 1 || at.bottom <= panel.top + 1;
        return picture.length > 0 && picture.every(at => apart(at) && at.top >= 40 && at.bottom <= innerHeight + 1)
            && asked.top >= panel.top && asked.bottom <= innerHeight && panel.bottom <= innerHeight + 1;
    """
    drive._wait(browser, lambda: browser.execute_script(together), "picture and question are not seen together")
    words = step.text.split(".")[0].split("{")[0].split("*")[0].strip()
    assert words not in panel(browser)
    drive.press(browser, "The whole text")
    says(browser, words, "Fold the text")
    assert drive.too_wide(browser) == 0


def test_on_a_telephone_the_panel_folds_to_its_head_and_opens_again(browser, app_url):
    """It took two fifths of the window from whoever wanted to look at the page."""
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/attack?example=toy&lesson=stealing&lesson_step=0")
    says(browser, "Reveal")
    state = """
        const head = document.querySelector('.st-key-lesson-place');
        const panel = head.closest('[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)').getBoundingClientRect();
        return [head.getAttribute('role'), head.getAttribute('aria-expanded'), Math.round(innerHeight - panel.top)];
    """
    role, expanded, high = browser.execute_script(state)
    assert (role, expanded) == ("button", "true")
    assert high > 200
    head = browser.find_element(By.CSS_SELECTOR, ".st-key-lesson-place")
    head.click()
    role, expanded, folded = browser.execute_script(state)
    assert (role, expanded) == ("button", "false")
    assert 24 <= folded <= 70  # one line, large enough for a finger
    assert "Reveal" not in panel(browser)
    head.send_keys(Keys.ENTER)
    assert browser.execute_script(state) == ["button", "true", high]
    head.send_keys(Keys.SPACE)
    assert browser.execute_script(state)[1] == "false"
    # The next step is to be read. Where the panel stands beside the page its head is no button.
    head.click()
    act(browser, "predict")
    says(browser, "Done.")
    browser.find_element(By.CSS_SELECTOR, ".st-key-lesson-place").click()  # in sight however far the text is scrolled
    assert browser.execute_script(state)[1] == "false"
    drive.set_screen(browser, 1280, 900)
    drive._wait(browser, lambda: browser.execute_script(state)[:2] == [None, None], "the head is a button")
    says(browser, "Done.")


@pytest.mark.exhaustive
@pytest.mark.parametrize("colours", ["dark", "light"])
def test_a_lesson_on_a_telephone(browser, app_url, colours):
    drive.set_screen(browser, 390, 844)
    drive.set_colours(browser, colours)
    drive.open_app(browser, f"{app_url}/attack?example=toy&lesson=stealing&lesson_step=1")
    # The lesson that a link names begins where the link says.
    says(browser, "Lesson 4", "step 2 of 3", "Do this:")
    drive.picture(browser, f"lesson-telephone-task-{colours}")
    act(browser, "pick", "Class", "Class 6:")
    says(browser, "Done.")
    # Wherever the page is scrolled to, it is in sight that the step is done, and what comes next.
    top, bottom = browser.execute_script(
        "const box = document.querySelector('.st-key-lesson-on').getBoundingClientRect(); return [box.top, box.bottom]"
    )
    assert 0 <= top < bottom <= 844
    assert drive.too_wide(browser) == 0
    drive.picture(browser, f"lesson-telephone-done-{colours}")
    # In another session the browser still knows.
    drive.open_app(browser, f"{app_url}/lessons")
    drive.wait_for_text(browser, "1 of 3 steps done")
