"""Makes the documents of a duplicate from the logs of the originals."""

from computing.versions import logged
from documents.history.attribution import attributions
from documents.history.credits import Credits
from documents.history.duplicate import Duplicated, Duplication, duplicated
from documents.tree.tree import tree
from documents.yjs.scan import accepted
from documents.yjs.snapshot import load
from domain.document import DocumentLog


def duplicate_document(log: DocumentLog, asked: Duplication) -> Duplicated:
    doc = accepted(load(log.snapshot, [each.update for each in log.log]))
    whose = accepted(attributions(log.snapshot, Credits.decode(log.credits), logged(log)))
    return duplicated(tree(doc), whose, asked)
