"""Messages: gathered by whoever runs the job, equal ones folded, the worst first."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.reporting import log

_SAID = st.lists(st.tuples(st.sampled_from(("INFO", "WARNING", "ERROR")), st.sampled_from("abc"), st.sampled_from(("", "x", "y"))))


@given(_SAID)
def test_digest_says_each_text_once_with_its_count(said: list[tuple[str, str, str]]) -> None:
    speak = {"INFO": log.info, "WARNING": log.warning, "ERROR": log.error}
    with log.collect() as result:
        for level, text, where in said:
            with log.about(where):
                speak[level](text)
    assert [(message.level, message.text, message.where) for message in result.messages] == said
    expected: list[str] = []
    for level in ("ERROR", "WARNING", "INFO"):
        texts = list(dict.fromkeys(text for one, text, _ in said if one == level))
        for text in texts:
            positions = [where for one, other, where in said if (one, other) == (level, text)]
            alone = f"{positions[0]}: {text}" if positions[0] else text
            first = next((f", first: {where}" for where in positions if where), "")
            expected.append(alone if len(positions) == 1 else f"{text} ({len(positions)} times{first})")
    assert result.digest() == expected


def test_levels_are_chosen_in_the_order_asked_for() -> None:
    with log.collect() as result:
        log.info("i")
        log.error("e")
        log.warning("w")
    assert result.digest("WARNING", "INFO") == ["w", "i"]
    assert [message.text for message in result.of("ERROR")] == ["e"]


def test_nobody_listens() -> None:
    log.warning("into the air")
    with log.collect() as result:
        pass
    log.warning("too late")
    assert result.messages == []


def test_inner_jobs_keep_their_messages_and_places_nest() -> None:
    with log.collect() as outer, log.about("outer"):
        log.info("1")
        with log.collect() as inner, log.about("inner"):
            log.info("2")
        log.info("3")
    assert [str(message) for message in outer.messages] == ["outer: 1", "outer: 3"]
    assert [str(message) for message in inner.messages] == ["inner: 2"]


def test_after_a_failure_all_is_as_before() -> None:
    with log.collect() as outer:
        with pytest.raises(ValueError, match="no"), log.collect(), log.about("deep"):
            raise ValueError("no")
        log.info("still here")
    assert [str(message) for message in outer.messages] == ["still here"]


def test_what_was_heard_is_passed_on() -> None:
    """Also behind a failure; into the air where nobody listens."""
    with log.heard() as alone:
        log.info("0")
    with log.collect() as outer:
        log.info("1")
        with log.heard() as inner:
            log.warning("2", bone="arm", frame=3.0)
        with pytest.raises(ValueError, match="no"), log.heard():
            log.error("3")
            raise ValueError("no")
    assert [message.text for message in alone.messages] == ["0"]
    assert [message.text for message in inner.messages] == ["2"]
    assert [(message.text, message.bone, message.frame) for message in outer.messages] == [
        ("1", "", None),
        ("2", "arm", 3.0),
        ("3", "", None),
    ]


def test_threads_do_not_hear_each_other() -> None:
    heard: list[str] = []

    def other() -> None:
        log.info("from the other")
        with log.collect() as own:
            log.info("own")
        heard.extend(message.text for message in own.messages)

    with log.collect() as result:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert result.messages == [] and heard == ["own"]
