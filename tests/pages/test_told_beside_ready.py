"""What a table gives away although it meets all demands, told at the question, on its card and beside its verdict."""

from publishing import CHECK, taken_of
from visitor import DATA

FINDS = "records show a value that no other record shows, and whoever knows it of a person finds the row"
DECIDED = "somebody decided that nobody has it from elsewhere"


def test_values_by_which_rows_are_found_are_told_at_the_question_on_the_card_and_beside_ready(session):
    """Of 120 people three in four have an ferritin of their own; the others share one."""
    lines = [
        f"{21 + row % 40};{20000 + 137 * row if row % 4 else 30000};{('flu', 'flu', 'gout')[row % 3]}"
        for row in range(120)
    ]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;ferritin;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"])
    asked = page.says("markdown")
    assert "90 of 120 people have one that nobody else has" in asked
    page = page.press("data-only-here-ferritin").open(CHECK).press("publishable-start")
    card = page.says("markdown")
    page.press("publishable-take-0")
    drawn = taken_of(page).drawn
    times = drawn.frame["ferritin"].value_counts()
    told = f"(sensitive): {int((times == 1).sum())} of {len(drawn.frame)} {FINDS}; {DECIDED}."
    (diversity,) = [one for one in drawn.checked.diversity if one.column == "illness"]
    shared, people = diversity.most_alike
    alike = f"In the group most alike {shared} of {people} shown values of illness are the same."
    assert 2 * shared > people
    for said in (card, page.says("success")):
        assert told in said
        assert said.index(told) < said.index(alike)
