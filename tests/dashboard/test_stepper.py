"""Slider, buttons and play share one index."""

from streamlit.testing.v1 import AppTest

from cra_dashboard.panels.stepper import moved


def page(last):
    """A page with nothing but the stepper; AppTest runs its source on its own."""
    import streamlit as st  # noqa: PLC0415

    from cra_dashboard.panels.stepper import stepper  # noqa: PLC0415

    st.text(str(stepper(st.session_state.get("last", last), "test")))


def run(last=3):
    return AppTest.from_function(page, args=(last,), default_timeout=300).run()


def shown(app):
    assert not app.exception
    assert app.select_slider[0].value == int(app.text[0].value)
    return app.select_slider[0].value


def press(app, label):
    (button,) = [button for button in app.button if button.label == label]
    assert not button.disabled
    button.click().run()
    return shown(app)


def disabled(app):
    return [button.label for button in app.button if button.disabled]


def test_an_index_stays_within_its_bounds():
    assert [moved(index, by, 3) for index, by in ((0, -1), (0, 1), (3, 1), (9, 0))] == [0, 1, 3, 3]


def test_forward_and_back():
    app = run()
    assert shown(app) == 0
    assert disabled(app) == ["Back"]
    assert [press(app, "Forward") for _ in range(3)] == [1, 2, 3]
    assert disabled(app) == ["Forward"]
    assert press(app, "Back") == 2
    assert disabled(app) == []


def test_the_slider_moves_what_the_buttons_move():
    app = run()
    app.select_slider[0].set_value(2).run()
    assert shown(app) == 2
    assert press(app, "Forward") == 3


def test_play_takes_a_step_at_once_and_can_be_paused():
    app = run()
    assert press(app, "Play") == 1
    assert press(app, "Pause") == 1
    assert "Play" in [button.label for button in app.button]


def test_stepping_by_hand_pauses():
    for act in (
        lambda app: press(app, "Forward"),
        lambda app: press(app, "Back"),
        lambda app: app.select_slider[0].set_value(3).run(),
    ):
        app = run(9)
        press(app, "Play")
        act(app)
        assert "Play" in [button.label for button in app.button]


def test_play_at_the_end_starts_again():
    app = run()
    app.select_slider[0].set_value(3).run()
    assert press(app, "Play") == 0
    assert "Pause" in [button.label for button in app.button]


def test_an_index_past_a_shorter_sequence_is_brought_back():
    app = run(9)
    app.select_slider[0].set_value(8).run()
    app.session_state["last"] = 2
    app.run()
    assert shown(app) == 2
