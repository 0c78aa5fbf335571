import { Bot } from "lucide-react";
import type { Row } from "../graphql/generated";
import { t } from "../messages/messages";
import style from "../ui/chips.module.css";
import { type Arrangement, type Narrowing, narrowingsOf } from "./arrangement";
import { ItemIcon } from "./ItemIcon";
import listStyle from "./ListScreen.module.css";

type Props = {
  rows: readonly Row[];
  arrangement: Arrangement;
  /** Shows what is chosen alone, or everything. */
  narrow: (to: Narrowing | null) => void;
};

/** Narrows a list to a part of it; a list that has no such parts shows nothing of it. */
export function Chips({ rows, arrangement, narrow }: Props) {
  const { type, by } = arrangement;
  const narrowings = narrowingsOf(rows, arrangement);
  if (narrowings.length === 0) return null;
  return (
    <fieldset className={`${style.chips} ${listStyle.parts}`} aria-label={t.lists.show}>
      <button type="button" className={style.chip} aria-pressed={!type && !by} onClick={() => narrow(null)}>
        {t.lists.everything}
      </button>
      {narrowings.map((each) => {
        const isKind = "type" in each;
        return (
          <button
            key={isKind ? each.type : each.by}
            type="button"
            className={style.chip}
            aria-pressed={isKind ? each.type === type : each.by === by}
            onClick={() => narrow(each)}
          >
            {isKind ? <ItemIcon type={each.type} size={16} isHidden /> : <Bot aria-hidden size={16} />}
            {isKind ? t.kindsOf[each.type] : t.lists.byAgents}
          </button>
        );
      })}
    </fieldset>
  );
}
