import type { PersonChange, Preview } from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import style from "./access.module.css";
import { changeLabel, personName, reasonLabel } from "./labels";

type Line = { key: string; who: string; what: string; because: string; items: number };

type Props = {
  previews: Preview[];
  /** How many items they are about; one each if absent. */
  items?: number;
};

/** Shows who would gain and lose access by an act on one item or several. */
export function PreviewLines({ previews, items = previews.length }: Props) {
  const { email } = useViewer();
  const gains = lines(
    previews.flatMap((each) => each.gains),
    email,
  );
  const loses = lines(
    previews.flatMap((each) => each.loses),
    email,
  );
  const keeps = new Set(previews.flatMap((each) => each.keeps.map(({ email }) => email)));
  const others = (count: (preview: Preview) => number) => Math.max(0, ...previews.map(count));
  const otherGains = others((each) => each.otherGains);
  const otherLoses = others((each) => each.otherLoses);
  const same = keeps.size + others((each) => each.otherKeeps);
  const all = items;
  return (
    <>
      <People title={t.access.gains} lines={gains} others={otherGains} all={all} />
      <People title={t.access.loses} lines={loses} others={otherLoses} all={all} />
      {!gains.length && !loses.length && !otherGains && !otherLoses && <p>{t.access.nobody}</p>}
      {same > 0 && <p className={style.same}>{t.access.keep(same)}</p>}
    </>
  );
}

function People({ title, lines, others, all }: { title: string; lines: Line[]; others: number; all: number }) {
  if (!lines.length && !others) return null;
  return (
    <>
      <h3 className={style.kind}>{title}</h3>
      <ul className={style.people} aria-label={title}>
        {lines.map(({ key, who, what, because, items }) => (
          <li key={key}>
            <strong>{who}</strong>: {what}
            {items < all && ` ${t.access.ofItems(items, all)}`}
            {because && <small className={style.because}>{t.access.because(because)}</small>}
          </li>
        ))}
        {others > 0 && <li>{t.access.hiddenOthers(others)}</li>}
      </ul>
    </>
  );
}

/** One line for all items for which the same holds of a person. */
function lines(changes: PersonChange[], reader: string): Line[] {
  const found = new Map<string, Line>();
  for (const each of changes) {
    const what = changeLabel(each);
    const key = `${each.email} ${what}`;
    const isYou = each.email === reader;
    const because = each.because.map((reason) => reasonLabel(reason, isYou)).join("; ");
    const before = found.get(key);
    found.set(
      key,
      before ? { ...before, items: before.items + 1 } : { key, who: personName(each, reader), what, because, items: 1 },
    );
  }
  return [...found.values()];
}
