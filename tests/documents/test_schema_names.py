"""What other schemas of ProseMirror name differently comes under the names of the schema."""

from itertools import chain

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.admission.schema_names import in_schema
from documents.admission.update_names import NameKind, names, renamed
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.schema import SCHEMA
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT, Refused, accepted, scan
from documents.yjs.snapshot import load
from tests.support.documents.foreign_updates import BASIC, BASIC_MARKDOWN


def read(*updates):
    return tree(accepted(load(None, updates)))


def kinds(node):
    yield node["type"]
    yield from (mark["type"] for mark in node.get("marks", ()))
    yield from chain.from_iterable(map(kinds, node.get("content", ())))


def test_a_document_of_the_basic_schema_reads_as_one_of_ours():
    assert "  3. three" not in markdown(read(BASIC))
    found = read(in_schema(BASIC, Doc()))
    assert markdown(found) == BASIC_MARKDOWN
    assert {*kinds(found)} <= {*SCHEMA["nodes"], *SCHEMA["marks"]}
    assert found["content"][2]["content"][1]["content"][1]["attrs"] == {"start": 3}


def test_the_rewritten_update_is_sound_and_rewritten_once():
    once = in_schema(BASIC, Doc())
    assert not isinstance(scan(once, IMPORT), Refused)
    assert in_schema(once, Doc()) == once
    assert renamed(BASIC, [(name, name.value) for name in names(BASIC)]) == BASIC


def test_words_and_attributes_that_only_look_like_names_stay():
    content = [
        {
            "type": "paragraph",
            "attrs": {"order": 2},
            "content": [{"type": "text", "text": "bullet_list em strong order"}],
        },
        {"type": "bullet_list", "attrs": {"order": 2, "params": "x"}, "content": [{"type": "list_item"}]},
    ]
    found = read(in_schema(from_tree({"type": "doc", "content": content}, 5), Doc()))["content"]
    assert found[0] == content[0]
    assert found[1] == {"type": "bulletList", "attrs": {"order": 2, "params": "x"}, "content": [{"type": "listItem"}]}


@pytest.mark.parametrize(
    ("element", "attribute", "becomes"),
    [
        ("ordered_list", {"order": 3}, {"type": "orderedList", "attrs": {"start": 3}}),
        ("code_block", {"params": "python"}, {"type": "codeBlock", "attrs": {"language": "python"}}),
    ],
)
def test_an_attribute_that_is_set_later_is_renamed_by_its_element_in_the_document(element, attribute, becomes):
    elsewhere = Doc(client_id=5)
    made = elsewhere.get("default", type=XmlFragment).children.append(XmlElement(element))
    begun = in_schema(elsewhere.get_update(), Doc())
    known = elsewhere.get_state()
    [(name, value)] = attribute.items()
    made.attributes[name] = "0"
    made.attributes[name] = value
    document = accepted(load(begun))
    more = in_schema(elsewhere.get_update(known), document)
    assert read(begun, more)["content"] == [becomes]


def test_names_of_tables_are_those_of_the_schema():
    cell = XmlElement("table_header", contents=[XmlElement("paragraph", contents=[XmlText("head")])])
    elsewhere = Doc(client_id=5)
    table = XmlElement("table", contents=[XmlElement("table_row", contents=[cell])])
    elsewhere.get("default", type=XmlFragment).children.append(table)
    assert markdown(read(in_schema(elsewhere.get_update(), Doc()))) == "| head |\n| --- |\n"


def test_all_names_of_an_update_are_found():
    found = [*names(BASIC)]
    assert {name.value for name in found if name.kind is NameKind.ROOT} == {"prosemirror"}
    assert {name.value for name in found if name.kind is NameKind.MARK} == {"strong", "em", "code", "link"}
    assert {name.value for name in found if name.kind is NameKind.ATTRIBUTE} == {"level", "order"}
    assert len([name for name in found if name.kind is NameKind.ELEMENT]) == 17
