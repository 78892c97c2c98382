"""What mkdocs.yml has besides docs/: pages that lie elsewhere in the repository, and links of pages to files that are no pages."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "changes.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "benchmarks.md": "benchmarks/README.md",
}
OTHERS = {"LICENSE": "license.txt"}
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds them. Their links lead to where their pages are on the site."""
    for name, source in PAGES.items():
        files.append(File.generated(config, name, content=_moved((ROOT / source).read_text(encoding="utf-8"))))
    for source, name in OTHERS.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def _moved(text: str) -> str:
    names = {source: name for name, source in PAGES.items()} | OTHERS
    return LINK.sub(lambda link: "](" + names.get(link[1], link[1].removeprefix("docs/")), text)


def on_page_content(html: str, **_: object) -> str:
    """Tables without headings have no empty line on top."""
    return re.sub(r"<thead>\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>\s*</thead>", "", html)
