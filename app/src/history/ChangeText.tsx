import type { ChangeLine } from "../graphql/generated";
import { t } from "../messages/messages";
import { SignedAuthor } from "../ui/authors";
import { Moment } from "../ui/Moment";
import style from "./history.module.css";

type Shown = { change: ChangeLine; isTakenBack?: boolean };

/**
 * What a change did, or what becomes of it when it is taken back, with who did it: inserted text underlined, deleted text
 * struck out.
 */
export function ChangeText({ change, isTakenBack = false }: Shown) {
  const [deleted, inserted] = isTakenBack ? [change.inserted, change.deleted] : [change.deleted, change.inserted];
  return (
    <div className={style.change}>
      <p className={style.faint}>
        <SignedAuthor author={change.by} /> · <Moment at={change.at} />
      </p>
      <p className={style.words}>
        {deleted && <del>{deleted}</del>}
        {deleted && inserted && " "}
        {inserted && <ins>{inserted}</ins>}
        {!deleted && !inserted && <em>{t.history.empty[change.kind]}</em>}
      </p>
    </div>
  );
}
