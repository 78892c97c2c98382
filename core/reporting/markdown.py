"""Pages of the documentation as HTML for a browser without a network: what of Markdown they use, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

_STYLE = (
    "body{max-width:50em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;color:#222;background:#fff}"
    "code,pre{background:#eee;font-size:90%}pre{padding:.7em;overflow-x:auto}code{padding:0 .2em}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2em .6em;text-align:left;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#222}code,pre{background:#333}a{color:#8bf}}"
)

_FENCE, _INDENT = "```", "    "
_ITEM = re.compile(r"(?:[*-]|\d+\.) +")
_INLINE = re.compile(r"(`+)(?P<code>.+?)\1|!\[(?P<alt>[^\]]*)\]\([^)]*\)|\[(?P<text>[^\]]+)\]\((?P<link>[^)\s]+)\)")


def page(text: str, title: str) -> str:
    """A whole page. Links to other pages (.md) lead to their .html; of a picture, which is not there, its description is left."""
    body = "\n".join(_blocks(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).splitlines()))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f"<!doctype html><html><head>{head}</head><body>\n{body}\n</body></html>\n"


def anchor(heading: str) -> str:
    """What links to a heading name behind the #."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def _blocks(lines: list[str]) -> Iterator[str]:
    while lines:
        line = lines[0]
        if not line.strip():
            lines.pop(0)
        elif line.startswith(_FENCE):
            lines.pop(0)
            yield _code(_taken(lines, lambda each: not each.startswith(_FENCE)))
            del lines[:1]
        elif line.startswith(_INDENT):
            yield _code([each[len(_INDENT) :] for each in _taken(lines, lambda each: each.startswith(_INDENT) or not each.strip())])
        elif line.startswith("#"):
            level, text = len(line) - len(line.lstrip("#")), lines.pop(0).lstrip("#").strip()
            yield f'<h{level} id="{anchor(text)}">{_inline(text)}</h{level}>'
        elif line.startswith("|"):
            yield _table(_taken(lines, lambda each: each.startswith("|")))
        elif _ITEM.match(line):
            yield _list(_taken(lines, lambda each: bool(each.strip()) and bool(_ITEM.match(each) or each.startswith(" "))))
        else:
            yield f"<p>{_inline(' '.join(_taken(lines, _is_text)))}</p>"


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("#", "|", _FENCE)) and not _ITEM.match(line)


def _taken(lines: list[str], belongs: Callable[[str], bool]) -> list[str]:
    """The first lines for which that holds; they are gone from the list."""
    count = next((position for position, line in enumerate(lines) if not belongs(line)), len(lines))
    taken, lines[:] = lines[:count], lines[count:]
    return taken


def _code(lines: list[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines).strip(chr(10)))}</pre>"


def _list(lines: list[str]) -> str:
    """Lines that are further in go on with the item above them."""
    kind = "ol" if lines[0][0].isdigit() else "ul"
    items: list[str] = []
    for line in lines:
        start = _ITEM.match(line)
        if start is not None:
            items.append(line[start.end() :])
        else:
            items[-1] += " " + line.strip()
    return f"<{kind}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{kind}>"


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    has_head = len(rows) > 1 and all(set(cell) <= set(":-") for cell in rows[1])
    parts = [(row, "th" if has_head and not number else "td") for number, row in enumerate(rows) if not (has_head and number == 1)]
    drawn = ["".join(f"<{kind}>{_inline(cell)}</{kind}>" for cell in row) for row, kind in parts if any(row)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in drawn)}</table>"


def _inline(text: str) -> str:
    """Code, links and pictures; between them bold and slanted text."""
    parts: list[str] = []
    end = 0
    for match in _INLINE.finditer(text):
        parts += [_emphasised(text[end : match.start()]), _replaced(match)]
        end = match.end()
    return "".join([*parts, _emphasised(text[end:])])


def _replaced(match: re.Match[str]) -> str:
    if match["code"]:
        return f"<code>{escape(match['code'].replace(chr(92) + '|', '|'))}</code>"
    if match["link"]:
        link = re.sub(r"\.md(?=#|$)", ".html", match["link"])
        return f'<a href="{escape(link, quote=True)}">{_inline(match["text"])}</a>'
    return escape(match["alt"])


def _emphasised(text: str) -> str:
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text.replace("\\|", "|"), quote=False))
    return re.sub(r"(?<![\w*])\*(?!\s)(.+?)(?<!\s)\*(?![\w*])", r"<i>\1</i>", bold)
