#!/usr/bin/env python3
"""The documentation as a site with search, by mkdocs (Debian's package mkdocs): README.md, CHANGELOG.md, docs/ and the
files they link to. Search needs a server: python3 -m http.server --directory build/site.

    tools/packaging/site/site_pages.py [OUT]          default: build/site

Ends with 1 and says so where mkdocs is missing, or where a page, a file or a heading that is linked does not exist."""

import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CONFIG = """site_name: weft
docs_dir: pages
site_dir: site
theme: {name: mkdocs, highlightjs: false}
plugins: [search]
nav:
  - Start: index.md
  - All pages: docs/index.md
  - Gallery: docs/gallery.md
  - Published results: docs/studies.md
  - Changes: CHANGELOG.md
use_directory_urls: false
markdown_extensions:
  - tables
  - fenced_code
  - toc:
      slugify: !!python/name:site_headings.slug
      permalink: true
"""
# Headings get the names that they have where Markdown is shown beside the source, so that links work in both.
HEADINGS = r"""import re


def slug(text, _separator):
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
"""


def pages():
    """Those of docs/ and what they link to, README.md first."""
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
    for page in found:  # grows meanwhile
        targets = [match.group(2) for match in LINK.finditer(page.read_text(encoding="utf-8")) if match.group(2)]
        files = [(page.parent / target.split("#")[0]).resolve() for target in targets if is_local(target)]
        found += [
            file for file in dict.fromkeys(files) if file.suffix == ".md" and file.is_file() and file not in found]
    return found


def is_local(target):
    return not re.match(r"[a-z]+:", target) and not target.startswith("#")


def copy_page(page, to):
    """A page and the files that it links to; links to folders become plain text."""

    def without_folders(match):
        target = match.group(2) or match.group(3)
        if not is_local(target):
            return match.group(0)
        file = (page.parent / target.split("#")[0]).resolve()
        if file.is_dir():
            return match.group(1)
        if file.is_file() and file.suffix != ".md":
            copy = to / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        return match.group(0)

    # `index` in place of README: it is what a server shows for a folder.
    text = LINK.sub(without_folders, page.read_text(encoding="utf-8"))
    text = re.sub(r"\]\(((?:[^)\s]*/)?)README\.md", r"](\1index.md", text)
    copy = to / page.relative_to(ROOT)
    copy = copy.with_name("index.md") if copy.name == "README.md" else copy
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text, encoding="utf-8")


class Page(html.parser.HTMLParser):
    """Names and links of a page."""

    def __init__(self, file):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names.add(values.get("id"))
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def broken_links(site):
    """Links of the site's pages that lead to nothing, as (page, link)."""
    # 404.html is for a server, and has links from its root.
    known = {file.resolve(): Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    for file, page in known.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            name = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or (name and target in known and name not in known[target].names):
                yield file.relative_to(site.resolve()), link


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site")
    if shutil.which("mkdocs") is None:
        sys.exit("site: error: mkdocs is not installed (it makes the pages); apt-get install mkdocs")
    with tempfile.TemporaryDirectory(prefix="weft-site-") as name:
        work = Path(name)
        (work / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
        (work / "site_headings.py").write_text(HEADINGS, encoding="utf-8")
        found = pages()
        for page in found:
            copy_page(page, work / "pages")
        done = subprocess.run(["mkdocs", "build", "--strict", "--quiet"], cwd=work, check=False,
                              env=dict(os.environ, PYTHONPATH=str(work)))
        if done.returncode != 0:
            sys.exit("site: error: mkdocs does not make the site; see above")
        broken = sorted(set(broken_links(work / "site")))
        for page, link in broken:
            print(f"site: error: {page}: nothing at {link}", file=sys.stderr)
        if broken:
            sys.exit(1)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(work / "site", out)
    print(f"wrote {out}: {len(found)} pages")


if __name__ == "__main__":
    main()
