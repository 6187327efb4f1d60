#!/usr/bin/env python3
# Says which links within a folder of HTML pages lead nowhere, anchors included. Status 1 if there are any.
# SPDX-License-Identifier: BSD-3-Clause
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.targets.append(value)


def main():
    folder = Path(sys.argv[1]).resolve()
    pages = {file: Links(file) for file in folder.rglob("*.html")}
    broken = 0
    for file, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            anchor = unquote(parts.fragment)
            if not there.exists() or there in pages and anchor not in pages[there].anchors | {"", "top"}:
                print(f"{file.relative_to(folder)}: {target} leads nowhere")
                broken += 1
    print(f"{len(pages)} pages, {sum(len(p.targets) for p in pages.values())} links, {broken} broken")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
