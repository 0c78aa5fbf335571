/** Shows words that went with a block which somebody else deleted, and puts them back. */

import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { t } from "../messages/messages";
import { Author } from "../ui/authors";
import style from "./DocumentScreen.module.css";
import { placeBehindLast } from "./last_written";
import type { Unseen } from "./unseen";
import { bindingOf } from "./yjs_internals";

type Props = { unseen: Unseen; editor: Editor; mayEdit: boolean; forget: () => void };

export function UnseenText({ unseen: { text, deletedBy }, editor, mayEdit, forget }: Props) {
  function putBack() {
    write(editor, text);
    forget();
  }

  return (
    <section role="alert" className={`${style.bar} ${style.warning}`} aria-label={t.document.unseenTitle}>
      <p>{deletedBy ? t.document.unseenWords(<Author author={deletedBy} />) : t.document.unseenWordsGone}</p>
      <blockquote className={style.unseen}>{text}</blockquote>
      {mayEdit && (
        <button type="button" onClick={putBack}>
          {t.document.putBack}
        </button>
      )}
      <button type="button" className="quiet" onClick={forget}>
        {t.document.discardWords}
      </button>
    </section>
  );
}

/** Writes the lines of a text as paragraphs where the block was that somebody wrote in. */
function write(editor: Editor, text: string) {
  const { state, view, schema } = editor;
  const { paragraph } = schema.nodes;
  if (!paragraph) return;
  const at = placeBehindLast(editor, bindingOf(state).type);
  const lines = text.split("\n").filter((line) => line.trim());
  const { tr } = state;
  tr.insert(
    at,
    lines.map((line) => paragraph.create(null, schema.text(line))),
  );
  const end = at + lines.reduce((size, line) => size + line.length + 2, 0) - 1;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView());
  view.focus();
}
