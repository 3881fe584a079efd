# SPDX-License-Identifier: Apache-2.0
"""Copies docs/ for the site: pages.py <folder>.

The pages are written for GitHub. What differs on the site:
- a link to a file outside of docs/ leads to that file on GitHub;
- `file=` in the first line of a fence becomes the title of the block;
- what belongs to an item of a list is indented by four spaces, which Python-Markdown demands;
- fences below paragraphs of one bold word ("**Maven**", "**Gradle**") become tabs;
- the tables of docs/README.md are the navigation;
- the pages of contributors (docs/adr, docs/benchmarks) are on GitHub alone, outside of search and navigation.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
GITHUB = "https://github.com/batchsqs/batchsqs"

INTERNAL = ("adr/", "benchmarks/")

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
TAB = re.compile(r"^\*\*(\w+)\*\*\n\n(```.*?^```)$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"(\d+\.|-) +")
SECTION = re.compile(r"^\*\*(.+)\*\*$")
ENTRY = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+\.md|https://batchsqs\.github\.io/[^)\s]+)\)")


def internal(page):
    """Whether a page is for contributors."""
    return page.suffix == ".md" and page.relative_to(DOCS).as_posix().startswith(INTERNAL)


def outside_to_github(page, text):
    """Links to files that are not part of the site."""

    def link(match):
        target = (page.parent / match.group(1)).resolve()
        if target.is_relative_to(DOCS) and not target.is_dir() and not internal(target):
            return match.group(1)
        kind = "tree" if target.is_dir() else "blob"
        return f"{GITHUB}/{kind}/main/{os.path.relpath(target, ROOT)}"

    return LINK.sub(link, text)


def tabs(text):
    """One tab for each fence below a bold word; neighbours form one set."""

    def tab(match):
        block = "\n".join(f"    {line}".rstrip() for line in match.group(2).splitlines())
        return f'=== "{match.group(1)}"\n\n{block}'

    return TAB.sub(tab, text)


def lists(text):
    """The content of list items, with a blank line behind those that have several blocks."""
    lines, width, blocks, fenced = [], 0, False, False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if not fenced and (item := ITEM.match(line)):
            if blocks and lines[-1]:
                lines.append("")
            width, blocks = len(item.group()), False
        elif not line:
            blocks = width > 0
        elif width and line.startswith(" " * width):
            line = " " * (4 - width) + line
        else:
            width, blocks = 0, False
        lines.append(line)
    return "\n".join(lines) + "\n"


def titles(text):
    """The file that a block quotes."""
    return re.sub(r"^(\s*```\w+) file=(\S+)$", r'\1 title="\2"', text, flags=re.MULTILINE)


def navigation():
    """The sections of docs/README.md before its first heading, each with the pages that its table names."""
    nav = [{"BatchSQS": "README.md"}]
    for line in (DOCS / "README.md").read_text().splitlines():
        if line.startswith("## "):
            break
        if section := SECTION.match(line):
            nav.append({section.group(1): []})
        elif line.startswith("|"):
            for title, page in ENTRY.findall(line):
                next(iter(nav[-1].values())).append({title.replace("`", ""): page})
    return nav


def main(folder):
    pages = folder / "pages"
    shutil.copytree(DOCS, pages)
    for copy in pages.rglob("*.md"):
        page = DOCS / copy.relative_to(pages)
        if internal(page):
            copy.unlink()
            continue
        copy.write_text(titles(tabs(lists(outside_to_github(page, page.read_text())))))
    shutil.copy(HERE / "site.css", pages)
    settings = (HERE / "mkdocs.yml").read_text()
    (folder / "mkdocs.yml").write_text(settings + yaml.safe_dump({"nav": navigation()}, sort_keys=False))


main(Path(sys.argv[1]))
