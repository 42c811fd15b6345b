"""The picture of a hierarchy on the page Hierarchies, as it is read, pointed at and heard."""

import pytest

import drive

WRITTEN = """
return [...root.querySelectorAll('.texts text')].map(text => {
    const own = text.getBoundingClientRect();
    const across = box => box.left <= own.left && own.right <= box.right;
    const around = box => across(box) && box.top <= own.top && own.bottom <= box.bottom;
    const boxes = [...root.querySelectorAll('.fills rect')].map(one => one.getBoundingClientRect());
    return [text.textContent, boxes.some(around)];
});
"""


@pytest.mark.parametrize("width", [390, 1440])
def test_numbers_and_labels_stand_inside_their_boxes(browser, app_url, width):
    drive.set_screen(browser, width)
    drive.open_app(browser, f"{app_url}/hierarchies?example=clinic")
    texts = drive.inside(browser, "tree-weight", WRITTEN)
    assert all(inside for _, inside in texts), texts
    written = [text for text, _ in texts]
    # Every box says its number; the root and the halves what they are published as.
    assert len([text for text in written if text.isdigit()]) == 1 + 2 + 4 + 8
    assert {"all, shown as *", "[0, 200[", "[200, 400["} <= set(written)


def test_a_box_tells_whoever_points_at_it_and_whoever_hears_the_page(browser, app_url):
    drive.open_app(browser, f"{app_url}/hierarchies?example=clinic")
    # Not its middle: the second box of layer 3 spans four leaves.
    place = "const box = [...root.querySelectorAll('.fills rect')].map(one => one.getBoundingClientRect())"
    place += ".sort((a, b) => a.top - b.top || a.left - b.left)[2]; return [box.right - 5, box.top + 5];"
    drive.point_at(browser, "tree-weight", place)
    told = drive.inside(browser, "tree-weight", "return root.querySelector('.tip').innerText.split('\\n');")
    assert told == ["weight: [200, 400[", "layer 3: 86 records"]
    heard = drive.inside(browser, "tree-weight", "return [...root.querySelectorAll('.told li')].map(e => e.innerText);")
    assert len(heard) == 15
    assert "weight: [200, 400[, layer 3: 86 records" in heard
    named = drive.inside(browser, "tree-weight", "return root.querySelector('[role=img]').getAttribute('aria-label');")
    assert named.startswith("Hierarchy of weight: 4 layers over 8 leaves")


def test_the_page_loads_no_library_of_charts(browser, app_url):
    drive.open_app(browser, f"{app_url}/hierarchies?example=clinic")
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert loaded
    assert not [name for name in loaded if "plotly" in name.lower()]


def test_labels_of_codes_stand_clear_of_the_ends_beside_them_on_a_telephone(browser, app_url):
    drive.set_screen(browser, 390)
    drive.open_app(browser, f"{app_url}/hierarchies?example=clinic")
    browser.execute_script(
        """[...document.querySelectorAll('[data-testid="stCheckbox"] label')]
        .find(one => one.innerText.startsWith('One group from upper on')).querySelector('input').click()"""
    )
    drive.wait_until_idle(browser)
    places = drive.inside(
        browser,
        "tree-weight",
        "return [...root.querySelectorAll('text.small')].map(text => [text.textContent, text.getBoundingClientRect()])",
    )
    ends = [place for text, place in places if not text.startswith("layer")]
    assert [text for text, _ in places if text == ">=400"]
    for at, one in enumerate(ends):
        for other in ends[:at]:
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_few_layers_leave_no_more_of_the_window_blank_than_any_other_figure(browser, app_url, width, height):
    """Three rows of 58 pixels stood above half a column of white."""
    drive.set_screen(browser, width, height)
    drawn = """const drawn = document.querySelector('.st-key-stage [data-testid="stBidiComponentIsolated"]');
        return drawn && drawn.getBoundingClientRect().height > 100 && drawn.getBoundingClientRect().bottom"""
    ends = []
    for page in ("hierarchies", "attack"):
        drive.open_app(browser, f"{app_url}/{page}?example=toy")
        ends.append(drive._wait(browser, lambda: browser.execute_script(drawn), "there is no picture"))
    assert abs(ends[0] - ends[1]) < 40
    assert max(ends) <= height
