# SPDX-License-Identifier: Apache-2.0
"""Checks the links, pictures and anchors within a built site: links.py <folder> <address of the site>.

Zensical checks the links of the Markdown. This also checks HTML in pages, pictures, the navigation and links to the Javadoc.
The Javadoc's own pages are not read: javadoc checks them.
"""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = set(), {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.targets.add(value)
            elif name == "srcset" and value:
                self.targets.update(picture.split()[0] for picture in value.split(","))
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@cache
def links(file):
    return Links(file.read_text())


def broken(site, address):
    pages = [page for page in site.rglob("*.html") if not page.is_relative_to(site / "api")]
    for page in sorted(pages):
        here = urljoin(address, page.relative_to(site).as_posix())
        for target in sorted(links(page).targets):
            full = urljoin(here, target)
            if not full.startswith(address):
                continue
            parts = urlsplit(full)
            file = site / unquote(parts.path.removeprefix(urlsplit(address).path))
            file = file / "index.html" if file.is_dir() else file
            anchor = unquote(parts.fragment)
            if not file.is_file() or (anchor and file.suffix == ".html" and anchor not in links(file).anchors):
                yield f"{page.relative_to(site)}: {target}"


found = list(broken(Path(sys.argv[1]), sys.argv[2]))
print(*found, sep="\n", file=sys.stderr)
sys.exit(f"{len(found)} broken links" if found else None)
