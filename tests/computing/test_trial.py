"""Updates that may take the library long are brought into a copy first."""

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.trial import TOO_COSTLY, TOO_DEEP, try_update
from documents.admission.cost import may_be_costly
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.scan import scan
from documents.yjs.snapshot import state_vector
from tests.support.documents.encoding import client, element, inside, item, nested_elements, string, update


def typed_backwards(letters):
    doc = Doc(client_id=9)
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph", contents=[XmlText("")]))
    with doc.transaction():
        for _ in range(letters):
            root.children[0].children[0].insert(0, "x")
    return doc


def test_items_searched_a_place_in_a_long_text_are_too_costly():
    doc = typed_backwards(30_000)
    siblings = update(client(77, *[item(4, string("y"), parent=inside(9, 1)) for _ in range(1_000)]))
    state = doc.get_update()
    assert may_be_costly(scan(siblings), state_vector(doc), len(state) + len(siblings))
    assert try_update(state, siblings) == TOO_COSTLY


def test_letters_typed_at_many_places_are_not():
    doc = typed_backwards(5_000)
    state, before = doc.get_update(), doc.get_state()
    text = doc.get("default", type=XmlFragment).children[0].children[0]
    with doc.transaction():
        for at in range(0, 2_000, 2):
            text.insert(at * 2, "y")
    letters = doc.get_update(before)
    assert may_be_costly(scan(letters), state_vector(doc), len(state) + len(letters))
    assert try_update(state, letters) is None


def test_what_the_library_cannot_bring_in_or_nests_too_deep_is_refused():
    assert try_update(from_tree(parse("text"), 1), update(client(70, element(parent=inside(1, 3))))) is not None
    below = update(client(7, element(parent=inside(1, 59)), *[element(parent=inside(7, at)) for at in range(59)]))
    assert try_update(nested_elements(60), below) == TOO_DEEP
