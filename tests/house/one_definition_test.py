"""No two types of one name in one namespace: the linker takes either, silently (one-definition rule). Types of a file
alone belong into its unnamed namespace."""

import re
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("engine", "models", "workloads", "tools")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.M)
BLOCK = re.compile(r"[{};]")
NAMESPACE = re.compile(r"\bnamespace\b\s*([\w:]*)\s*$")
TYPE = re.compile(r"(?:^|[\s>])(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[.*?\]\]\s*)?"
                  r"(\w+(?:<.*>)?)\s*(?:final\s*)?(?::[^:].*)?$", re.S)


def definitions(text):
    """Full names of the types that a source defines in named namespaces."""
    text = DIRECTIVE.sub(" ", NOT_CODE.sub(" ", text))
    scopes, begin = [], 0  # names of namespaces; None: anything else, or an unnamed one
    for brace in BLOCK.finditer(text):
        head = text[begin:brace.start()]
        begin = brace.end()
        if brace.group() == ";":
            continue
        if brace.group() == "}":
            if scopes:
                scopes.pop()
            continue
        scope = None
        if None not in scopes:
            if space := NAMESPACE.search(head):
                scope = space.group(1) or None
            elif kind := TYPE.search(head.strip()):
                yield "::".join([*scopes, re.sub(r"\s", "", kind.group(1))])
        scopes.append(scope)


def defined_twice(files):
    places = defaultdict(set)
    for name, text in files:
        for definition in definitions(text):
            places[definition].add(name)
    return {definition: sorted(names) for definition, names in places.items() if len(names) > 1}


class OneDefinition(unittest.TestCase):
    def test_no_type_is_defined_in_two_files(self):
        files = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.?pp")]
        self.assertGreater(len(files), 300)
        texts = [(str(path.relative_to(ROOT)), path.read_text()) for path in files]
        self.assertGreater(len({name for _, text in texts for name in definitions(text)}), 400)
        self.assertEqual(defined_twice(texts), {})

    def test_the_test_sees_what_it_is_there_for(self):
        one = ("namespace a::b {\nstruct Same { int x; };\ntemplate <class T> class Other final : Same { struct Inner "
               "{}; };\n}\n")
        two = "namespace a::b {\nnamespace {\nstruct Other {};\n}  // namespace\nclass Same : public Other {\n};\n}\n"
        self.assertEqual(set(definitions(one)), {"a::b::Same", "a::b::Other"})
        self.assertEqual(defined_twice([("one", one), ("two", two)]), {"a::b::Same": ["one", "two"]})
        self.assertEqual(defined_twice([("one", one), ("two", two.replace("a::b", "a::c"))]), {})


if __name__ == "__main__":
    unittest.main()
