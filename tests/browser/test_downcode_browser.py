"""Downcode and Effective anonymity, in a real browser: the three stages, four people, one adversary more."""

import pytest
from selenium.webdriver.common.keys import Keys

import drive
from drive import check


@pytest.mark.parametrize(
    ("width", "scheme"), [(1440, "light"), pytest.param(390, "dark", marks=pytest.mark.exhaustive)]
)
def test_from_what_is_published_to_the_truth_and_on_to_adversaries(browser, app_url, width, scheme):
    drive.set_screen(browser, width, 900)
    drive.set_colours(browser, scheme)
    drive.open_app(browser, app_url)
    drive.open_page(browser, "Downcode")
    drive.wait_for_text(browser, "What was concluded is right: 1 record differs from the rest of the cluster")
    check(browser)
    drive.picture(browser, f"downcode-truth-{width}-{scheme}")
    drive.choose(browser, "Show", "Published")
    drive.wait_for_text(browser, "records are published alike")
    drive.picture(browser, f"downcode-published-{width}-{scheme}")
    drive.open_tab(browser, "Four people")
    drive.wait_for_text(browser, "Release 3")
    drive.picture(browser, f"downcode-four-{width}-{scheme}")
    check(browser)
    drive.open_page(browser, "Effective anonymity")
    drive.wait_for_text(browser, "5 records are unique as the table stands")
    drive.fill(browser, "Adversaries", "3")
    drive.wait_for_text(browser, "Adversary 3 knows")
    check(browser)
    drive.picture(browser, f"effective-anonymity-{width}-{scheme}")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768), (390, 844)])
def test_the_legend_of_downcode_stands_above_its_picture_whole(browser, app_url, width, height):
    drive.set_screen(browser, width, height)
    drive.open_app(browser, f"{app_url}/downcode")
    drive.wait_for_text(browser, "What was concluded is right: 1 record differs from the rest of the cluster")
    for scheme in ("light", "dark"):
        drive.set_colours(browser, scheme)
        drive.wait_until_idle(browser)
        entries, bottom, plot, inside = browser.execute_script("""
            const picture = document.querySelector('.st-key-downcode-picture');
            const around = picture.getBoundingClientRect();
            const entries = [...picture.querySelectorAll('[data-testid=stHtml] div > span')];
            const boxes = entries.map(e => e.getBoundingClientRect());
            return [entries.map(e => e.textContent), Math.max(...boxes.map(box => box.bottom)),
                picture.querySelector('.js-plotly-plot').getBoundingClientRect().top,
                boxes.every(box => box.left >= around.left && box.right <= around.right + 1 && box.height > 10)];
        """)
        assert entries == [
            "published for 5",
            "concluded: one record",
            "concluded: the other 4",
            "true records near the centre in every attribute",
            "true records far from it in some attribute",
        ]
        assert bottom <= plot
        assert inside
        assert not browser.find_elements("css selector", ".st-key-downcode-picture .legendtext")


def overlaps(browser):
    """Texts of the picture that lie over each other, over a mark or outside of it."""
    found = browser.execute_script("""
        const plot = document.querySelector('.st-key-anonymity-picture .js-plotly-plot');
        const whole = plot.getBoundingClientRect();
        const texts = [...plot.querySelectorAll('.textpoint text, .xtick text, .ytick text, .legendtext')];
        const marks = [...plot.querySelectorAll('.points .point')].map(mark => ['', mark.getBoundingClientRect()]);
        const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
        const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const out = boxes.filter(([, box]) => box.left < whole.left || box.right > whole.right);
        const pairs = boxes.flatMap(([name, box], at) =>
            [...boxes.slice(at + 1), ...marks].filter(([, other]) => over(box, other)).map(([other]) => [name, other]));
        return {written: boxes.map(([name]) => name), wrong: [...out.map(([name]) => name), ...pairs]};
    """)
    assert sum("unique" in text for text in found["written"]) >= 4, found
    return found["wrong"]


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "dark"),
        (390, "light"),
        pytest.param(1280, "light", marks=pytest.mark.exhaustive),
        pytest.param(390, "dark", marks=pytest.mark.exhaustive),
    ],
)
def test_no_texts_of_the_adversaries_lie_over_each_other(browser, app_url, tmp_path, width, scheme):
    drive.set_screen(browser, width, 720 if width == 1280 else 844)
    drive.set_colours(browser, scheme)
    drive.open_app(browser, f"{app_url}/effective_anonymity?example=toy")
    drive.wait_for_text(browser, "5 records are unique")
    assert overlaps(browser) == []
    drive.pick(browser, "Table", "Toy")
    drive.wait_for_text(browser, "36 records are unique")
    assert overlaps(browser) == []
    # Sixty people of whom nearly all stand alone: the shares of unique and few records lie beside each other.
    people = [f"{20 + person},{'FM'[person % 2]},C{person % 4}" for person in range(58)]
    (tmp_path / "sixty.csv").write_text("\n".join(["age,sex,ward", *people, *people[:2]]))
    drive.press(browser, "A table of your own")
    drive.upload(browser, "Table (CSV)", tmp_path / "sixty.csv")
    drive.wait_for_text(browser, "56 records are unique")
    assert overlaps(browser) == []
    drive.hit(browser, Keys.ESCAPE)
    drive.picture(browser, f"effective-anonymity-{width}-{scheme}-own")
    drive.assert_no_exception(browser)
    assert drive.too_wide(browser) == 0


def test_a_method_leads_to_its_lesson(browser, app_url):
    drive.set_screen(browser, 1280, 720)
    drive.open_app(browser, f"{app_url}/downcode")
    drive.press(browser, "Lesson 15")
    drive.wait_for_text(browser, "Lesson 15 · step 1 of 3")
    assert "Do this:" in drive.text(browser)
