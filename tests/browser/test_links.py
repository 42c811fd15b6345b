"""Links between two browsers: the same picture, values compared; back and forward; nothing of an upload."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import drive
import serving
from cra_dashboard.session import datasets, link
from cra_engine import Study, attack, recode
from cra_engine.words import how_many

ROOT = Path(__file__).parents[2]
DIABETES = ROOT / "sample_data" / "diabetes.csv"


def shown(browser):
    """What the page says, its pictures included as numbers, without what only this run has."""
    figures = browser.execute_script("""
        const plotted = [...document.querySelectorAll('.js-plotly-plot')].map(plot =>
            [plot.data.map(t => [t.name, t.text, t.marker && t.marker.color]), plot.layout.shapes]);
        const hosts = [...document.querySelectorAll('*')].filter(host => host.shadowRoot);
        const drawn = hosts.map(host => host.shadowRoot.querySelector('.picture svg')).filter(Boolean).map(svg =>
            [...svg.querySelectorAll('*:not(g)')].filter(part => part.style.opacity !== '0')
                .map(part => `${part.tagName} ${part.textContent} ${part.style.fill}`).sort());
        return [...plotted, ...drawn].map(figure => JSON.stringify(figure));
    """)
    return re.sub(r"listed within [\d.]+ s", "listed within a moment, s", drive.text(browser)), [
        json.loads(figure) for figure in figures
    ]


def title_of_class(place, browser):
    """What the select box calls a class of the study in the address."""
    address, _ = link.parse(parse_qs(urlsplit(browser.current_url).query))
    data, _ = datasets.remade(address.recipe)
    part = attack(recode(data.frame, Study(address.attribute, address.k)).release).parts[place]
    return f"{part.title}: {how_many(part.size, 'person', 'people')}"


@pytest.mark.exhaustive
def test_a_link_opens_the_same_picture_in_a_fresh_browser_and_after_a_reload(browser, app_url):
    drive.open_app(browser, app_url)
    drive.press(browser, "Open Hospitals")
    drive.open_page(browser, "Hierarchies")
    drive.fill(browser, "k", "4")
    drive.fill(browser, "WI_X: layers", "2")
    drive.open_page(browser, "Recode")
    drive.press(browser, "Forward")
    drive.press(browser, "Forward")
    drive.press(browser, "What is drawn")
    drive.pick(browser, "Across", "GAPICC")
    drive.press(browser, "What is drawn")
    wanted = shown(browser)
    assert "Step 2 of" in wanted[0]
    assert len(wanted[1]) == 2
    drive.press(browser, "Copy link")
    written = browser.find_element("css selector", "[data-testid='stCode']").text
    assert written == browser.current_url.replace("%2C", ",")
    assert re.search(r"/recode\?example=hospitals&attribute=.*&k=4&step=2&view=2,0,-1,-1$", written)

    drive.reset(browser)
    drive.open_app(browser, written)
    assert shown(browser) == wanted
    browser.refresh()
    drive.wait_until_idle(browser)
    assert shown(browser) == wanted

    # The class too; and going back undoes.
    drive.open_page(browser, "Attack")
    drive.pick(browser, "Class", title_of_class(3, browser))
    wanted = shown(browser)
    there = browser.current_url
    assert there.endswith("&class=3")
    drive.reset(browser)
    drive.open_app(browser, there)
    assert shown(browser) == wanted
    drive.open_page(browser, "Hierarchies")
    drive.fill(browser, "k", "6")
    drive.wait_for_text(browser, "k = 6")
    browser.back()
    drive.wait_for_text(browser, "k = 4")


def test_nothing_of_an_upload_is_in_the_address_and_going_back_does_not_lose_it(browser, app_url):
    drive.open_app(browser, f"{app_url}/data?example=toy&k=4")
    drive.wait_for_text(browser, "Toy · 36 records · k = 4 · age, weight")
    drive.unfold(browser, "Another table")
    drive.choose(browser, "Where the table comes from", "Upload a table")
    drive.upload(browser, "File with the table", DIABETES)
    drive.wait_for_text(browser, "diabetes.csv · 442 records")
    assert "?" not in browser.current_url
    drive.open_page(browser, "Recode")
    drive.press(browser, "Forward")
    assert "?" not in browser.current_url
    drive.open_page(browser, "Attack")
    assert "?" not in browser.current_url
    for _ in range(2):
        browser.back()
        drive.wait_until_idle(browser)
        drive.wait_for_text(browser, "diabetes.csv · 442 records")
        assert "?" not in browser.current_url


@pytest.mark.exhaustive
def test_a_teacher_leaves_parts_out_and_makes_the_type_larger(browser, app_url, tmp_path):
    with serving.serve(ROOT, tmp_path) as url:
        # The very first address that this server is asked for.
        drive.open_app(browser, f"{url}/recode?example=toy&step=2&k=4")
        drive.wait_for_text(browser, "Step 2 of")
        drive.wait_for_text(browser, "Toy · 36 records · k = 4 · age, weight")
    drive.open_app(browser, f"{app_url}/attack?example=toy&hide=menu,bar,settings,tables&size=large")
    drive.wait_for_text(browser, "What the attacker concludes")
    seen = drive.text(browser)
    for gone in ("Hierarchies", "36 records · k", "Settings", "The exact numbers"):
        assert gone not in seen
    assert browser.execute_script("return getComputedStyle(document.documentElement).fontSize") == "20px"
    assert drive.too_wide(browser) == 0
    drive.open_app(browser, f"{app_url}/recode?example=toy&k=many&step=2")
    drive.wait_for_text(browser, "K is 'many' in the link, not a whole number from 2 to 1,000,000.")
    drive.wait_for_text(browser, "Step 2 of")
