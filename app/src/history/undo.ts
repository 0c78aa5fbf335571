import { ask, failure } from "../graphql/ask";
import {
  ChangesOfRevision,
  type ChangesOfRevisionData,
  type ChangesOfRevisionVariables,
  UndoChanges,
} from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { MAX_UNDONE } from "./versions";

/** Returns what tells of an edit of the reader's that made a revision, with Undo in the note. */
export function useUndoable(documentId: string, done: () => void) {
  const { notify, warn } = useToast();
  const { id: userId } = useViewer();
  return async (message: string, revision: number) => {
    const ids = await changesMade(documentId, revision, userId);
    notify(message, async () => {
      try {
        for (let at = 0; at < ids.length; at += MAX_UNDONE)
          await ask(UndoChanges, { documentId, ids: ids.slice(at, at + MAX_UNDONE), dryRun: false });
        notify(t.history.undoneAgain);
      } catch (thrown) {
        warn(sentence(failure(thrown).message));
      }
      done();
    });
  };
}

/** Return the ids of the changes that a user's edit of a revision made, and nothing that they wrote afterwards. */
async function changesMade(documentId: string, revision: number, userId: string): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const asked: ChangesOfRevisionVariables = {
      id: documentId,
      since: revision - 1,
      until: revision,
      userId,
      after,
    };
    const { documentChanges }: ChangesOfRevisionData = await ask(ChangesOfRevision, asked);
    if (!documentChanges) break;
    ids.push(...documentChanges.nodes.map(({ id }) => id));
    after = documentChanges.pageInfo.hasNextPage ? documentChanges.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}
