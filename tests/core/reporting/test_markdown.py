"""Our pages as HTML, for a browser without a network."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from retro_anim.core.reporting import markdown

DOCS = Path(__file__).resolve().parents[3] / "docs"


def body(text: str) -> str:
    return markdown.page(text, "title").partition("<body>")[2].partition("</body>")[0].strip()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# A *game's* file", '<h1 id="a-games-file">A <i>game\'s</i> file</h1>'),
        (
            "One\nline, **bold** & `a < b`.\n\nTwo 2 * 3 * 4.",
            "<p>One line, <b>bold</b> &amp; <code>a &lt; b</code>.</p>\n<p>Two 2 * 3 * 4.</p>",
        ),
        (
            "See [the *window*](window.md#it) ![a picture](images/x.png)",
            '<p>See <a href="window.html#it">the <i>window</i></a> a picture</p>',
        ),
        ("| a | b |\n|---|---|", "<table><tr><th>a</th><th>b</th></tr></table>"),
        ("| a | b |", "<table><tr><td>a</td><td>b</td></tr></table>"),
        ("* one\n  goes on\n* two", "<ul><li>one goes on</li><li>two</li></ul>"),
        ("1. one\n2. two\n\nText", "<ol><li>one</li><li>two</li></ol>\n<p>Text</p>"),
        ("    a *b*\n\n    <c>\n\nText", "<pre>a *b*\n\n&lt;c&gt;</pre>\n<p>Text</p>"),
        ("```python\nx = 1\n```\nText", "<pre>x = 1</pre>\n<p>Text</p>"),
        (
            "| a | b |\n|---|---|\n| `x` | y \\| z |",
            "<table><tr><th>a</th><th>b</th></tr><tr><td><code>x</code></td><td>y | z</td></tr></table>",
        ),
        ("| a | b |\n|:-:|--:|\n| x | y |", "<table><tr><th>a</th><th>b</th></tr><tr><td>x</td><td>y</td></tr></table>"),
        ("| a | b |\n| x | - |", "<table><tr><td>a</td><td>b</td></tr><tr><td>x</td><td>-</td></tr></table>"),
        ("| | |\n|---|---|\n| x | y |", "<table><tr><td>x</td><td>y</td></tr></table>"),
        ("<!-- a mark -->\nText", "<p>Text</p>"),
    ],
)
def test_what_our_pages_use(text: str, html: str) -> None:
    assert body(text) == html


def test_every_link_of_our_pages_leads_somewhere() -> None:
    pages = {path: markdown.page(path.read_text(encoding="utf-8"), "") for path in DOCS.rglob("*.md")}
    links = [(path, unescape(link)) for path, html in pages.items() for link in re.findall(r'href="([^"]+)"', html) if ":" not in link]
    assert len(links) > 20
    for path, link in links:
        file, _, heading = link.partition("#")
        target = (path.parent / file).with_suffix(".md").resolve() if file else path
        assert target in pages, (path, link)
        assert not heading or f'id="{heading}"' in pages[target], (path, link)


def test_nothing_of_our_pages_is_lost() -> None:
    """Letters and digits are the same, in their order; those of links, marks and pictures' files aside."""
    for path in DOCS.rglob("*.md"):
        text = re.sub(r"<!--.*?-->|\]\([^)]*\)|^```\w*", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE)
        shown = unescape(re.sub(r"<[^>]+>", " ", body(path.read_text(encoding="utf-8"))))
        assert re.findall(r"[^\W_]+", shown) == re.findall(r"[^\W_]+", text), path
