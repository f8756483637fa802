"""Exercises, quizzes and progress: judged in the page, explained, kept in the browser."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LESSONS = ["mechanisms/laplace/", "mechanisms/gaussian/"]
LESSON = LESSONS[0]
KEY = "dpdocs:1:mechanisms/laplace"


class Exercise:
    def __init__(self, page: Page, section: Any) -> None:
        self.page = page
        self.section = section
        self.id = section.get_attribute("data-exercise")
        self.kind = section.get_attribute("data-kind")
        self.answer = json.loads(section.get_attribute("data-answer"))
        self.feedback = section.locator(".dp-feedback")

    def give(self, answer: Any) -> None:
        """Fill in an answer: text, or the list of chosen options."""
        if isinstance(answer, str):
            self.section.locator('input[name="answer"]').fill(answer)
            return
        for option in self.section.locator('input[name="answer"]').all():
            chosen = option.get_attribute("value") in answer
            if self.kind == "choices" or chosen:
                option.set_checked(chosen)

    def check(self) -> None:
        self.section.locator('[type="submit"]').click()

    def options(self) -> list[str]:
        fields = self.section.locator('input[name="answer"]').all()
        return [str(field.get_attribute("value")) for field in fields]


def exercises(page: Page) -> list[Exercise]:
    return [Exercise(page, section) for section in page.locator(".dp-exercise").all()]


def first(page: Page, *kinds: str) -> Exercise:
    return next(exercise for exercise in exercises(page) if exercise.kind in kinds)


def typed(answer: str) -> str:
    """A right answer as a careful reader would type it: rounded to nine digits."""
    value = float(answer)
    return "inf" if math.isinf(value) else f"{value:.9g}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_right_answer_is_right(visit: Any, words: Any, lesson: str) -> None:
    page = visit().open(lesson)
    found = exercises(page)
    assert sum(exercise.kind == "number" for exercise in found) >= 3
    for exercise in found:
        right = typed(exercise.answer) if exercise.kind == "number" else exercise.answer
        exercise.give(right)
        exercise.check()
        expect(exercise.feedback).to_have_attribute("data-right", "true")
        expect(exercise.feedback).to_contain_text(words["en"]("@page.quiz.right"))
    for quiz in page.locator(".dp-quiz").all():
        questions = quiz.locator(".dp-exercise").count()
        expect(quiz.locator(".dp-score")).to_have_text(f"{questions} of {questions} right")


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_choice_has_its_explanation(visit: Any, lesson: str) -> None:
    page = visit().open(lesson)
    for exercise in exercises(page):
        if exercise.kind != "choice":
            continue
        for option in exercise.options():
            exercise.give([option])
            exercise.check()
            right = [option] == exercise.answer
            expect(exercise.feedback).to_have_attribute("data-right", str(right).lower())
            why = exercise.feedback.locator(f'.dp-why[data-option="{option}"]')
            expect(why).to_be_visible()
            assert len(why.inner_text()) > 20


@pytest.mark.parametrize("lesson", LESSONS)
def test_foreseen_wrong_numbers_get_their_own_words(visit: Any, lesson: str) -> None:
    page = visit().open(lesson)
    tried = 0
    for exercise in exercises(page):
        for why in exercise.section.locator(".dp-solution .dp-why[data-value]").all():
            value = why.get_attribute("data-value")
            exercise.give(value)
            exercise.check()
            expect(exercise.feedback).to_have_attribute("data-right", "false")
            shown = exercise.feedback.locator(f'.dp-why[data-value="{value}"]')
            expect(shown).to_be_visible()
            tried += 1
    assert tried >= 3


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "empty"),
        ("0,5", "comma"),
        ("５", "full-width"),
        ("50%", "percent"),
        ("abc", "number"),
        ("1/0", "zero-division"),
    ],
)
def test_what_cannot_be_read_is_refused_and_not_counted(
    visit: Any, words: Any, text: str, key: str
) -> None:
    page = visit().open(LESSON)
    exercise = first(page, "number")
    exercise.give(text)
    exercise.check()
    expect(exercise.feedback).to_contain_text(words["en"](f"@page.quiz.refused.{key}"))
    assert page.evaluate("(key) => localStorage.getItem(key)", KEY) is None


def test_fractions_and_too_few_digits(visit: Any) -> None:
    page = visit().open(LESSON)
    whole = next(e for e in exercises(page) if e.kind == "number" and float(e.answer) == 0.5)
    whole.give(" 1 / 2 ")
    whole.check()
    expect(whole.feedback).to_have_attribute("data-right", "true")
    long = next(
        e for e in exercises(page) if e.kind == "number" and len(f"{float(e.answer):.9g}") > 8
    )
    long.give(f"{float(long.answer):.3g}")
    long.check()
    expect(long.feedback).to_have_attribute("data-right", "false")
    expect(long.feedback).to_contain_text("significant digits")


def test_answers_are_kept_for_both_languages(visit: Any) -> None:
    used = visit()
    page = used.open(LESSON)
    number, choice = first(page, "number"), first(page, "choice")
    number.give(typed(number.answer))
    number.check()
    choice.give(choice.answer)
    choice.check()
    kept = json.loads(page.evaluate("(key) => localStorage.getItem(key)", KEY))
    assert kept["version"] == 1
    assert kept["answers"][number.id]["right"] is True
    for path in (LESSON, "ko/" + LESSON):
        page = used.open(path)
        again = first(page, "number")
        expect(again.section.locator('input[name="answer"]')).to_have_value(typed(number.answer))
        expect(again.feedback).to_have_attribute("data-right", "true")
        expect(first(page, "choice").feedback).to_have_attribute("data-right", "true")


def test_start_again_forgets_one_answer(visit: Any) -> None:
    used = visit()
    page = used.open(LESSON)
    exercise = first(page, "number")
    exercise.give(typed(exercise.answer))
    exercise.check()
    exercise.section.locator('[data-action="reset"]').click()
    expect(exercise.section.locator('input[name="answer"]')).to_have_value("")
    expect(exercise.feedback).to_be_empty()
    page.reload()
    expect(first(page, "number").feedback).to_be_empty()


def test_hints_come_one_at_a_time_and_stay(visit: Any) -> None:
    used = visit()
    page = used.open(LESSON)
    section = page.locator(".dp-exercise:has(.dp-hint-item)").first
    hints = section.locator(".dp-hint-item")
    expect(hints.first).to_be_hidden()
    section.locator('[data-action="hint"]').click()
    expect(hints.first).to_be_visible()
    expect(hints.first).to_have_attribute("open", "")
    for _ in range(hints.count() - 1):
        section.locator('[data-action="hint"]').click()
    expect(hints.last).to_be_visible()
    expect(section.locator('[data-action="hint"]')).to_have_text("No more hints")
    page.reload()
    expect(
        page.locator(".dp-exercise:has(.dp-hint-item)").first.locator("details").first
    ).to_be_visible()


@pytest.mark.parametrize(
    "damaged", ["{", "[]", "null", '{"version": 9}', '{"version":1,"answers":{"a":1}}']
)
def test_damaged_storage_is_put_aside(visit: Any, words: Any, damaged: str) -> None:
    used = visit()
    used.context.add_init_script(
        f"if (!sessionStorage.done) {{ sessionStorage.done = 1;"
        f" localStorage.setItem({json.dumps(KEY)}, {json.dumps(damaged)}); }}"
    )
    page = used.open(LESSON)
    expect(page.locator(".dp-notice")).to_have_text(words["en"]("@page.progress.notice.damaged"))
    assert page.evaluate("(key) => localStorage.getItem(key)", KEY + ":damaged") == damaged
    exercise = first(page, "number")
    exercise.give(typed(exercise.answer))
    exercise.check()
    page.reload()
    expect(first(page, "number").feedback).to_have_attribute("data-right", "true")
    expect(page.locator(".dp-notice")).to_have_count(0)


def test_storage_that_is_switched_off(visit: Any, words: Any) -> None:
    used = visit()
    used.context.add_init_script(
        "Object.defineProperty(window, 'localStorage',"
        " { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    # Material itself reads storage unprotected; that is its own complaint.
    used.expect_problem("SecurityError|no$")
    page = used.open(LESSON)
    exercise = first(page, "number")
    exercise.give(typed(exercise.answer))
    exercise.check()
    expect(exercise.feedback).to_have_attribute("data-right", "true")
    expect(page.locator(".dp-notice")).to_have_text(
        words["en"]("@page.progress.notice.unavailable")
    )


def test_learned_is_a_mark_of_its_own(visit: Any, words: Any) -> None:
    used = visit()
    page = used.open(LESSON)
    button = page.locator('[data-action="learned"]')
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text(words["en"]("@page.lesson.is_learned"))
    marked = page.locator('[data-course-lesson="mechanisms/laplace"]')
    expect(marked.first).to_have_attribute("data-learned", "")
    page.reload()
    button = page.locator('[data-action="learned"]')
    expect(button).to_have_attribute("aria-pressed", "true")
    assert json.loads(page.evaluate("(k) => localStorage.getItem(k)", KEY))["answers"] == {}
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_progress_leaves_and_comes_back_as_a_file(visit: Any, words: Any, tmp_path: Path) -> None:
    page = visit().open(LESSON)
    exercise = first(page, "number")
    exercise.give(typed(exercise.answer))
    exercise.check()
    page.locator('[data-action="learned"]').click()
    panel = page.locator("details.dp-progress")
    panel.locator("summary").click()
    with page.expect_download() as download:
        panel.get_by_role("button", name=words["en"]("@page.progress.export")).click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["format"] == "dpdocs-progress"

    other = visit().open("ko/" + LESSON)
    other.locator("details.dp-progress summary").click()
    other.locator('details.dp-progress input[type="file"]').set_input_files(file)
    expect(first(other, "number").feedback).to_have_attribute("data-right", "true")
    expect(other.locator('[data-action="learned"]')).to_have_attribute("aria-pressed", "true")

    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "dpdocs-progress", "version": 1, "lessons": {"a": 4}}')
    other.locator('details.dp-progress input[type="file"]').set_input_files(bad)
    expect(other.locator("details.dp-progress .dp-status")).to_have_text(
        words["ko"]("@page.progress.refused.damaged")
    )
    expect(first(other, "number").feedback).to_have_attribute("data-right", "true")


def test_forgetting_a_page_and_everything(visit: Any, words: Any) -> None:
    page = visit().open(LESSON)
    page.on("dialog", lambda dialog: dialog.accept())
    panel = page.locator("details.dp-progress")
    panel.locator("summary").click()
    for what in ("forget_lesson", "forget_all"):
        exercise = first(page, "number")
        exercise.give(typed(exercise.answer))
        exercise.check()
        page.locator('[data-action="learned"]').click()
        panel.get_by_role("button", name=words["en"](f"@page.progress.{what}")).click()
        expect(exercise.feedback).to_be_empty()
        expect(page.locator('[data-action="learned"]')).to_have_attribute("aria-pressed", "false")
        assert page.evaluate("(key) => localStorage.getItem(key)", KEY) is None
