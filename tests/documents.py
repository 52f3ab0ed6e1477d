"""Pages of documentation as tests see them: their code blocks, and what markers in front of these say. They are run by
tests/document_runs.py.

A marker is an HTML comment in front of a code block or table:

    <!-- verified -->                     output of the code block before it
    <!-- verified: COMMAND -->            output of this shell command (may be several lines)
    <!-- verified, varies: REGEX -->      likewise; in lines that match, numbers are not compared (times, memory, host)
    <!-- prepared by: COMMAND -->         only runs it, for the blocks after it
    <!-- file: NAME -->                   not output: the block is kept as this file, which a later command reads
    <!-- part of: CONFIG [OPTIONS] -->    some tables of a config, with which CONFIG, included, is run
    <!-- holds: COMMAND -->               what the text above says: a shell script that fails where it is not so
    <!-- not run: REASON -->              commands or a config that cannot be run here, and why
    <!-- not run, lines: REGEX: REASON -->  likewise, of those lines of the block that match
    <!-- not a config: WHAT -->           TOML that is no config (a message, say)

`verified, slow` and `prepared by, slow` are left out of the default check. A block whose lines begin with "$ " holds
commands and, below each, its output. A line "..." stands for any number of lines; at least one line is shown."""

import re
from pathlib import Path

from harness import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tools/python/README.md",
             *sorted((ROOT / "docs").glob("*.md"))]

MARKER = re.compile(r"<!-- (?P<word>verified|prepared by|holds|file|part of|not run|not a config)(?P<slow>, slow)?"
                    r"(?:, (?:varies|lines): (?P<pattern>.*?))?(?::\s(?P<command>.*?)| )?\s?-->", re.S)
MARKED = tuple("<!-- " + word for word in
               ("verified", "prepared by", "holds:", "file:", "part of", "not run", "not a config"))
COMMAND = re.compile(r"(weft|mpirun|build/|\./|tools/|tests/|cat |python3|/usr/bin/python3|\. |WEFT_[A-Z_]+=)")
COMMANDS = ("", "sh", "bash", "console")  # languages of blocks of commands
# A digest, cycles of a run, an error: nobody writes these by hand, and nowhere but in code.
PLAIN = ("", "text", "console")
LOOKS_PRINTED = re.compile(r"\b[0-9a-f]{32}\b|\b\d[\d,]* cycles|^weft: |^digest ", re.M)


class Block:
    """A code block, or a table, of a document: lines[begin:end] is what is between its fences."""

    def __init__(self, language, begin, end):
        self.language, self.begin, self.end = language, begin, end
        self.marker = None  # a match of MARKER
        self.source = None  # the code block before it

    @property
    def word(self):
        """What its marker says: "verified", ...; "" without one."""
        return self.marker["word"] if self.marker else ""


def blocks_of(lines):
    """All code blocks, all marked tables, and markers that only prepare, in order."""
    found, marker, at, code = [], None, 0, None
    while at < len(lines):
        line = lines[at]
        if line.startswith(MARKED):
            end = next(i for i in range(at, len(lines)) if lines[i].endswith("-->"))
            marker = MARKER.fullmatch("\n".join(lines[at:end + 1]))
            if marker is None:
                raise ValueError(f"line {at + 1}: not a marker of tests/documents.py")
            if marker["word"] in ("prepared by", "holds"):
                found.append(Block("prepared", at, at))
                found[-1].marker, marker = marker, None
            at = end + 1
            continue
        if line.startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i] == "```")
            block = Block(line[3:].strip(), at + 1, end)
        elif marker is not None and line.startswith("|"):
            end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
            block = Block("table", at + 2, end)  # without its two lines of heading
        else:
            if marker is not None and line.strip():
                raise ValueError(f"line {at + 1}: a marker without a code block or table")
            at += 1
            continue
        block.marker, block.source, marker = marker, code, None
        found.append(block)
        code = block if block.language != "table" else code
        at = end + 1
    return found


def commands_of(lines, block):
    """(command, first line, last line) for each part of a marked block that one command prints."""
    command = block.marker.group("command")
    if command is not None or block.language == "prepared":
        return [(command.strip(), block.begin, block.end)]
    starts = [i for i in range(block.begin, block.end) if lines[i].startswith("$ ")]
    if starts:
        ends = [*starts[1:], block.end]
        return [(lines[start][2:], start + 1, end) for start, end in zip(starts, ends)]
    if block.source is None:
        raise ValueError(f"line {block.begin}: no code block before that prints this")
    command = "\n".join(lines[block.source.begin:block.source.end])
    if block.source.language == "python":
        command = f"python3 - <<'END'\n{command}\nEND"
    return [(command, block.begin, block.end)]


def covered(lines, block, after):
    """Whether a block of commands is what the next one shows the output of, so that it runs with that."""
    return block.marker is None and after is not None and after.source is block and after.word == "verified" and \
        after.marker["command"] is None and not re.search(r"^\$ ", text_of(lines, after), re.M)


def text_of(lines, block):
    return "\n".join(lines[block.begin:block.end])


def without(block, text):
    """The lines of a block but those that its marker leaves out."""
    pattern = block.marker and block.marker["pattern"]
    return "\n".join(line for line in text.split("\n") if not pattern or not re.search(pattern, line))


def unquoted_bracket(command):
    """Whether zsh would look for files: [8,8] outside of quotes, which bash leaves alone."""
    heredoc = re.S if "<<" in command else 0
    bare = re.sub(r"'[^']*'|\"(?:\\\\.|[^\"])*\"|#.*|<<'?END'?.*", "", command, flags=heredoc)
    return re.search(r"=\S*\[", bare) is not None


def faults_of(lines, blocks):
    """(line, problem) for all that can be said of the blocks of a page without running them."""
    later = "\n".join(lines)
    for block in blocks:
        text = text_of(lines, block)
        command = (block.marker["command"] or "").strip() if block.marker else ""
        if block.word == "" and (not block.language and not COMMAND.match(text) or
                                 block.language in PLAIN and LOOKS_PRINTED.search(text)):
            yield block.begin, "looks like output, but has no marker"
        if block.word in ("not run", "not a config") and len(command) < 8:
            yield block.begin, "its marker does not say why"
        if block.word == "" and block.language == "toml" and "format = 1" not in text:
            yield block.begin, "a config that nothing reads; say what it is a part of"
        if block.word == "file" and later.count(Path(command).name) < 2:
            yield block.begin, f"no command reads {command}"
        if block.word == "verified" and not re.search(r"^(?!\s*\.\.\.\s*$|\$ ).*\S", text, re.M):
            yield block.begin, "shows nothing that could be compared"
        typed = text if block.word in ("", "not run") else "\n".join(re.findall(r"^\$ (.*)", text, re.M))
        if block.language in COMMANDS and unquoted_bracket(typed):
            yield block.begin, "[ outside of quotes: zsh takes it for a name of files"


def figures_in(text):
    """Numbers of a text, without commas; 2^24 as it is."""
    return set(re.findall(r"(?<!\w)(?<!\d\.)\d+(?:\^\d+|\.\d+)?", re.sub(r"(?<=\d)[,'](?=\d{3})", "", text)))


def limits_of(lines):
    """(line, sentence, figures in it, markers of its section) of each sentence that says "refused" or "at most" and
    names a figure. Tables of studies are results."""
    text = re.sub(r"^```.*?^```$|^<!-- study: .*?^<!-- end of", lambda m: "\n" * m[0].count("\n"), "\n".join(lines),
                  flags=re.S | re.M)
    line = 1
    for section in re.split(r"^(?=#)", text, flags=re.M):
        markers = " ".join(re.findall(r"<!-- (?:holds|verified).*?-->", section, re.S))
        prose = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), section, flags=re.S)
        begin = line
        for sentence in re.split(r"((?<=[.;:])\s+|\||\n\s*\n|\n(?=- ))", prose):
            bare = re.sub(r"exit code \d+|\]\([^)]*\)", "", sentence)
            said = re.search(r"\brefused\b|\bat most\b", sentence, re.I)
            if said and figures_in(bare):
                yield begin + sentence[:said.start()].count("\n"), " ".join(sentence.split()), figures_in(bare), markers
            begin += sentence.count("\n")
        line += section.count("\n")
