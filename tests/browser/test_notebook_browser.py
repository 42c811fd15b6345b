"""The widget of notebooks in Chromium, in a page that does what anywidget does: it hands a model and an element."""

import json

import pytest
from selenium.webdriver.common.keys import Keys

import touch
from cra_engine import playground, synthesize
from cra_engine.scenes.widget import notebook_script

PAGE = """<!doctype html><meta charset="utf-8"><title>Notebook</title><div id="cell" style="width: 1000px"></div>
<script type="module">
%s
const state = %s, listeners = {};
window.saved = [];
const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; (listeners[`change:${name}`] ?? []).forEach((then) => then()); },
    save_changes: () => window.saved.push(state.scene),
    on: (event, then) => (listeners[event] ??= []).push(then),
    off: (event, then) => (listeners[event] = (listeners[event] ?? []).filter((one) => one !== then)),
};
window.model = model;
window.end = program_render({ model, el: document.getElementById("cell") });
</script>"""


@pytest.fixture
def shown(browser, tmp_path):
    """The toy's widget, and the page that shows it."""
    toy = synthesize("toy")
    widget = playground(toy.data, toy.study)
    script = notebook_script().replace("export default { render:", "const { render: program_render } = { render:")
    state = json.dumps({"start": widget.start, "scene": widget.scene}).replace("</", "<\\/")
    path = tmp_path / "notebook.html"
    path.write_text(PAGE % (script.replace("</", "<\\/"), state), encoding="utf-8")
    browser.get(path.as_uri())
    touch.settled(browser)
    return widget


def test_a_person_is_dragged_and_the_kernel_gets_the_table(browser, shown):
    person = touch.run(browser, "return root.querySelector('[data-person]').dataset.person")
    touch.drag(browser, int(person), 0)
    scene = touch.until_scene(browser, r"table-k3-m\d+\.0")
    touch.until(browser, "return window.saved.length > 0")
    shown.scene = touch.run(browser, "return window.saved.at(-1)")
    assert shown.scene == scene
    changed = shown.frame.compare(synthesize("toy").data)
    assert list(changed.index) == [int(person)]


def test_keys_move_people_and_a_scene_of_the_kernel_is_shown(browser, shown):
    touch.run(browser, "root.querySelector('[data-person]').focus()")
    touch.keys(browser, Keys.SHIFT + Keys.ARROW_RIGHT)
    touch.until_scene(browser, r"table-k3-m\d+\.\d+")
    shown.scene = "table-k4-d0"
    browser.execute_script("window.model.set('scene', arguments[0])", shown.scene)
    assert touch.until_scene(browser, "table-k4-d0")
    assert touch.run(browser, "return root.querySelectorAll('[data-person]').length") == len(shown.frame)
    assert touch.run(browser, "return root.querySelector('.tools').innerText.includes('Challenges')") is False
    browser.execute_script("window.end()")


@pytest.mark.usefixtures("shown")
def test_nothing_is_asked_of_any_server(browser):
    asked = browser.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if not name.startswith("blob:")] == []
