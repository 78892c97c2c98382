"""XML as OniSplit writes it, as a small tree: read with the positions of all elements, written, and changed without touching the rest.

Documents with a DTD are refused, so that no entity can grow; depth and number of elements are limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from . import encodings
from .encodings import BOM, UTF_8

DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
INDENT = "    "

DEEPEST = 16
BYTES_AN_ELEMENT = 10
"""Of a file, at least, on average; a file of nothing but empty elements would take much more memory than it is long."""

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)

_TAG = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")


@dataclass(eq=False, slots=True)
class Node:
    """An element. text: without the white space around it; children: its elements; it has either of them.

    long: written as two tags although it is empty. line, start, end: where it stands in the file it was read from, else 0.
    """

    tag: str
    text: str = ""
    children: list[Node] = field(default_factory=list["Node"])
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    long: bool = False
    line: int = 0
    start: int = 0
    end: int = 0


def parse(data: Bytes, deepest: int = DEEPEST) -> Node:
    """The root element. Raises FormatError for what is no well-formed XML, has a DTD, or has more elements than any animation, or more
    than `deepest` in one another."""
    return _Builder(bytes(data), deepest).root()


class _Builder:
    def __init__(self, data: bytes, deepest: int, encoding: str | None = None) -> None:
        """encoding: of the text, as the file says where it is None: by its first bytes, else as it is declared."""
        self.data = data
        self.deepest = deepest
        self.result: Node | None = None
        self.open: list[Node] = []
        self.texts: list[list[str]] = []
        self.count = 0
        parser = expat.ParserCreate(encoding or encodings.certain(data))
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        self.most = 100 + len(data) // BYTES_AN_ELEMENT
        self.parser = parser

    def root(self) -> Node:
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            problem = f"line {error.lineno}: no well-formed XML: {expat.errors.messages[error.code]}"
            raise FormatError(problem, self.parser.ErrorByteIndex) from None
        except (UnicodeError, LookupError, ValueError) as error:
            raise FormatError(f"XML in an unknown encoding: {error}") from None
        assert self.result is not None
        return self.result

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line, offset = self.parser.CurrentLineNumber, self.parser.CurrentByteIndex
        self.count += 1
        if self.count > self.most or len(self.open) >= self.deepest:
            raise FormatError(f"line {line}: more elements than an animation can have", offset)
        node = Node(tag, attributes=attributes, line=line, start=offset)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.result = node
        self.open.append(node)
        self.texts.append([])

    def _end(self, _tag: str) -> None:
        node = self.open.pop()
        node.text = "".join(self.texts.pop()).strip()
        if node.text and node.children:
            raise FormatError(f"line {node.line}: text between the elements of <{node.tag}>", node.start)
        tag = _TAG.match(self.data, node.start)
        if tag is None or not tag[0].endswith(b"/>"):
            tag = _TAG.match(self.data, self.parser.CurrentByteIndex)
        if tag is not None:
            node.end = tag.end()

    def _text(self, text: str) -> None:
        self.texts[-1].append(text)

    def _doctype(self, *_declaration: object) -> None:
        raise FormatError(f"line {self.parser.CurrentLineNumber}: XML with a DTD is not read", self.parser.CurrentByteIndex)


def write(root: Node) -> bytes:
    """The whole file as OniSplit lays it out: byte order mark, one element a line, no line break at the end."""
    return BOM + "\n".join([DECLARATION, *_lines(root, 0)]).encode(UTF_8)


def _lines(node: Node, depth: int) -> Iterable[str]:
    indent = INDENT * depth
    head = node.tag + "".join(f" {name}={quoteattr(value)}" for name, value in node.attributes.items())
    if node.children:
        yield f"{indent}<{head}>"
        for child in node.children:
            yield from _lines(child, depth + 1)
        yield f"{indent}</{node.tag}>"
    elif node.text or node.long:
        yield f"{indent}<{head}>{escape(node.text)}</{node.tag}>"
    else:
        yield f"{indent}<{head} />"


def update(data: bytes, file: Node, before: Node, after: Node) -> bytes:
    """The file `data`, whose tree is `file`, with what changed from `before` to `after`, in the encoding that it has; comments and white
    space stay. Comments in an element that is written as a whole, since it has other elements now, come before it.

    before: the contents of `file`, as `write` would lay them out.
    """
    if same_tree(before, after):
        return data
    encoding, plain = encodings.encoding(data), data
    if encoding != UTF_8:
        plain = data.decode(encoding).encode(UTF_8)
        builder = _Builder(plain, DEEPEST, UTF_8)
        builder.most = len(plain)  # it has been read already, in characters of two bytes
        file = builder.root()
    parts: list[bytes] = []
    end = 0
    for start, stop, text in _changes(file, before, after, 0):
        comments = b"".join(comment + b"\n" for comment in _COMMENT.findall(plain, start, stop))
        parts += [plain[end:start], comments, text.encode(UTF_8)]
        end = stop
    result = b"".join([*parts, plain[end:]])
    return result if encoding == UTF_8 else result.decode(UTF_8).encode(encoding, "xmlcharrefreplace")


def _changes(file: Node, before: Node, after: Node, depth: int) -> Iterable[tuple[int, int, str]]:
    """Of each element that has to be written anew: where it starts and ends, and its text."""
    if same_tree(before, after):
        return
    tags = [child.tag for child in after.children]
    if tags and all([child.tag for child in other.children] == tags for other in (file, before)):
        for one, two, three in zip(file.children, before.children, after.children, strict=True):
            yield from _changes(one, two, three, depth + 1)
    else:
        after = Node(after.tag, after.text, after.children, file.attributes, after.long)
        yield file.start, file.end, "\n".join(_lines(after, depth)).lstrip()


def same_tree(one: Node, other: Node) -> bool:
    """Whether both are the same, attributes aside."""
    return (
        one.tag == other.tag
        and one.text == other.text
        and len(one.children) == len(other.children)
        and all(map(same_tree, one.children, other.children))
    )
