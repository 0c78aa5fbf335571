import { Link, useNavigate } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useMarks } from "../document/marks";
import { ask } from "../graphql/ask";
import {
  type ChangeLine,
  DocumentChanges,
  type DocumentChangesVariables,
  type MarkedChange,
  type VersionLine,
} from "../graphql/generated";
import { NO_PAGE, pages, usePages } from "../graphql/queries";
import { formats, t } from "../messages/messages";
import { Author, type AuthorName, nameOf } from "../ui/authors";
import chips from "../ui/chips.module.css";
import { Moment } from "../ui/Moment";
import { ShowMore } from "../ui/ShowMore";
import { Empty, Failed, Loading, Stale } from "../ui/states";
import { ChangeText } from "./ChangeText";
import style from "./history.module.css";
import { type Chosen, UndoDialog } from "./UndoDialog";
import { type HistorySearch, MAX_UNDONE, titleOf, touchesHistory } from "./versions";

type Props = { documentId: string; search: HistorySearch; versions: VersionLine[] };

/** Who changed what since a version, with the way to take it back. Where none is named, it is the last but one. */
export function ChangeList({ documentId, search, versions }: Props) {
  const [undoing, setUndoing] = useState<Chosen | null>(null);
  const since = search.since ?? versions[1]?.number ?? 0;
  const { user, agent, until, revision, time } = search;
  const chosen = {
    version: revision === undefined && time === undefined ? since || null : null,
    revision: revision ?? null,
    time: time ?? null,
    until: until ?? null,
    userId: user ?? null,
    agent: user === undefined ? null : (agent ?? ""),
  };
  const list = usePages(changesOf(documentId, chosen));
  const { entries, failure, hasMore, reload } = list;
  useMarks(entries);
  const whole = user === undefined ? null : wholeOf(search, since);
  const isTooMany = !whole && (hasMore || (entries?.length ?? 0) > MAX_UNDONE);
  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <>
      <h2 className={style.title}>{headingOf(search, since, versions)}</h2>
      <AuthorFilter documentId={documentId} search={search} versions={versions} changes={entries ?? []} />
      <details className={style.compare}>
        <summary>{t.history.compare}</summary>
        <Bounds documentId={documentId} search={search} since={since} versions={versions} />
      </details>
      {failure && <Stale failure={failure} retry={reload} />}
      {!entries && <Loading />}
      {entries?.length === 0 && (
        <Empty>
          <p>{t.history.nothing}</p>
        </Empty>
      )}
      {user !== undefined && entries && entries.length > 0 && (
        <p>
          <button
            type="button"
            disabled={isTooMany}
            onClick={() => setUndoing(whole ?? { ids: entries.map(({ id }) => id) })}
          >
            <Undo2 aria-hidden size={16} /> {t.history.undoAll}
          </button>{" "}
          {isTooMany && t.history.tooMany(MAX_UNDONE)}
        </p>
      )}
      <ol className={style.changes}>
        {entries?.map((change) => (
          <li key={change.id}>
            <ChangeText change={change} />
            <button
              type="button"
              className="quiet"
              aria-label={t.history.undoOne(summaryOf(change))}
              onClick={() => setUndoing({ ids: [change.id] })}
            >
              <Undo2 aria-hidden size={16} /> {t.ui.undo}
            </button>
          </li>
        ))}
      </ol>
      <ShowMore list={list} />
      {undoing && <UndoDialog documentId={documentId} chosen={undoing} close={() => setUndoing(null)} done={reload} />}
    </>
  );
}

/** What the list is of. */
function headingOf({ revision, time, until }: HistorySearch, since: number, versions: VersionLine[]): ReactNode {
  if (revision !== undefined) return t.history.sinceLooked;
  if (time !== undefined) return t.history.since(<Moment at={time} isExact />);
  const from = since === 0 ? t.history.theBeginning : called(since, versions);
  if (until !== undefined) return t.history.between(from, called(until, versions));
  return since === 0 ? t.history.all : t.history.sinceVersion(from);
}

/** What was changed in a document, as it is `chosen`. */
function changesOf(documentId: string, chosen: Omit<DocumentChangesVariables, "id" | "after">) {
  return pages<MarkedChange>(
    ["changes", documentId, chosen],
    async (after, signal) => {
      const { documentChanges } = await ask(DocumentChanges, { id: documentId, ...chosen, after }, signal);
      return documentChanges ? { entries: documentChanges.nodes, next: documentChanges.pageInfo } : NO_PAGE;
    },
    (event) => touchesHistory(documentId, event),
  );
}

/** Returns what asks for all that one author did, however much it is; null where it is between two versions. */
function wholeOf({ user, agent, until, revision, time }: HistorySearch, since: number): Chosen | null {
  const author = { userId: user ?? "", agent: agent ?? "" };
  if (until !== undefined) return null;
  if (time !== undefined) return { ...author, time };
  if (revision !== undefined) return { ...author, revision };
  return since === 0 ? { ...author, revision: 0 } : null;
}

function called(number: number, versions: VersionLine[]): string {
  const version = versions.find((each) => each.number === number);
  return version ? titleOf(version) : t.history.versionInText(number);
}

/** Which versions are compared: a later one with an earlier one; the beginning and the present can be chosen, too. */
function Bounds({ documentId, search, since, versions }: Props & { since: number }) {
  const navigate = useNavigate();
  const id = useId();
  const { since: _, until, version: __, revision: ___, time, ...others } = search;
  const numbers = [
    ...new Set([...versions.map(({ number }) => number), since, ...(until === undefined ? [] : [until])]),
  ]
    .filter((number) => number > 0)
    .sort((one, other) => other - one);

  function show(bounds: HistorySearch) {
    void navigate({
      to: "/doc/$documentId",
      params: { documentId },
      search: { panel: "changes", ...others, ...bounds },
    });
  }

  function compare(from: number, to: number | undefined) {
    show({ since: from, ...(to !== undefined && to > from && { until: to }) });
  }

  const other = time !== undefined ? t.history.aMoment : search.revision !== undefined ? t.history.looked : null;

  return (
    <p className={style.bounds}>
      <label htmlFor={`${id}-from`}>{t.history.from}</label>
      <select
        id={`${id}-from`}
        value={other === null ? since : ""}
        onChange={({ target }) => compare(Number(target.value), until)}
      >
        {other !== null && <option value="">{other}</option>}
        {numbers.map((number) => (
          <option key={number} value={number}>
            {called(number, versions)}
          </option>
        ))}
        <option value={0}>{t.history.beginning}</option>
      </select>
      <label htmlFor={`${id}-to`}>{t.history.to}</label>
      <select
        id={`${id}-to`}
        value={until ?? ""}
        onChange={({ target }) => compare(since, target.value ? Number(target.value) : undefined)}
      >
        <option value="">{t.history.now}</option>
        {numbers
          .filter((number) => number > since)
          .map((number) => (
            <option key={number} value={number}>
              {called(number, versions)}
            </option>
          ))}
      </select>
      <label htmlFor={`${id}-time`}>{t.history.sinceMoment}</label>
      <input
        id={`${id}-time`}
        type="datetime-local"
        defaultValue={time && localOf(time)}
        onChange={({ target }) => {
          const moment = new Date(target.value);
          if (!Number.isNaN(moment.getTime())) show({ time: moment.toISOString() });
        }}
      />
    </p>
  );
}

/** Returns a moment as the field for one has it: in the reader's time, to the minute. */
function localOf(moment: string): string {
  const time = new Date(moment);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A change in a few words, for whoever does not see it. */
function summaryOf(change: ChangeLine): string {
  const words = (change.inserted || change.deleted).trim().slice(0, 40);
  return words ? t.items.named(words) : t.history.empty[change.kind];
}

type Filter = Props & { changes: ChangeLine[] };

function AuthorFilter({ documentId, search, versions, changes }: Filter) {
  const everybody = new Map<string, AuthorName>();
  for (const author of [...versions.flatMap(({ authors }) => authors), ...changes.map(({ by }) => by)])
    if (author) everybody.set(`${author.userId} ${author.agent}`, author);
  const history = { to: "/doc/$documentId", params: { documentId }, activeOptions: { exact: true } } as const;
  const since = {
    panel: "changes" as const,
    ...(search.since !== undefined && { since: search.since }),
    ...(search.until !== undefined && { until: search.until }),
    ...(search.revision !== undefined && { revision: search.revision }),
    ...(search.time !== undefined && { time: search.time }),
  };
  return (
    <ul className={chips.chips} aria-label={t.history.authors}>
      <li>
        <Link {...history} search={since} className={chips.chip}>
          {t.history.everybody}
        </Link>
      </li>
      {[...everybody.values()]
        .sort((one, other) => formats.compare(nameOf(one), nameOf(other)))
        .map((author) => (
          <li key={`${author.userId} ${author.agent}`}>
            <Link
              {...history}
              className={chips.chip}
              search={{ ...since, user: author.userId, ...(author.agent !== null && { agent: author.agent }) }}
            >
              <Author author={author} />
            </Link>
          </li>
        ))}
    </ul>
  );
}
