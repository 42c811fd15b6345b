"""Each page has an address of its own, and stands in its frame there, also as the first that anybody opens."""

import pytest

import serving
from cra_dashboard.panels.menu import MORE, PAGES
from talk import Talk
from visits import PROGRAM, ROOT

FIRST = ("start", "check")


@pytest.mark.parametrize("page", FIRST)
def test_the_first_address_that_a_server_gets_shows_the_page_in_its_frame(tmp_path, page):
    with serving.running(PROGRAM, ROOT, tmp_path) as server, Talk(server.url) as talk:
        talk.address = page
        talk.run()
        assert PAGES["who_has_what"][0] in talk.pages  # as the menu calls it; by its file it would be "who has what"
        assert not talk.has_received("who has what")  # not even for the moment until the frame stands
        assert PAGES[MORE[0]][0] in {link.label for link in talk.on_page("page_link")}
