import { skipToken, useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { PreviewLines } from "../access/PreviewLines";
import { ask, failure } from "../graphql/ask";
import { MovePreview, type Preview, type Row } from "../graphql/generated";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { named, placeOf, type Refusal, type Target } from "./actions";
import { FolderTree } from "./FolderTree";
import style from "./MoveDialog.module.css";

const MOST = 100; // items that are moved at once: each is asked for on its own
const TOLD = 3; // refusals

type Props = {
  rows: Row[];
  /** Where they go, unless another place is chosen. */
  to: Target | null;
  /** Moves the items; returns those that were refused. */
  move: (rows: Row[], target: Target) => Promise<Refusal[]>;
  close: () => void;
};

type Answer = { previews: Preview[] } | { refusal: string };

/** Asks where items go, and shows who gains and loses access by that before it is done. */
export function MoveDialog({ rows: given, to, move, close }: Props) {
  const [rows, setRows] = useState(given);
  const [target, setTarget] = useState<Target | null>(to);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const { data: answer } = useQuery({
    queryKey: ["move preview", rows.map(({ id }) => id), target],
    queryFn: target ? ({ signal }) => previewOf(rows, target, signal) : skipToken,
    gcTime: 0, // rights change
  });

  function choose(to: Target) {
    setRefusal(null);
    setTarget(to);
  }

  async function submit() {
    if (!target) return;
    setSent(true);
    const refused = await move(away(rows, target), target);
    if (!refused.length) return close();
    setRefusal(refusalText(refused));
    setRows(refused.map(({ of }) => of));
    setSent(false);
    field.current?.focus();
  }

  const previews = answer && "previews" in answer ? answer.previews : null;
  const fault = refusal ?? (answer && "refusal" in answer ? answer.refusal : null);
  return (
    <Dialog title={t.move.title(named(given))} close={close} initialFocus={field} isWide>
      <FolderTree
        label={t.move.to}
        field={field}
        hasShared
        driveId={given[0]?.driveId}
        choose={choose}
        describedBy={fault ? `${id}-fault` : undefined}
      />
      {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
      <div className={style.preview} role="status">
        {!target && <p>{t.move.choose}</p>}
        {target && !answer && <p>{t.move.asking}</p>}
        {previews && <PreviewLines previews={previews} />}
      </div>
      <Buttons>
        <Close>{t.ui.cancel}</Close>
        <button type="button" disabled={isSent || !previews} onClick={() => void submit()}>
          {target ? t.move.verbTo(target.name) : t.move.verb}
        </button>
      </Buttons>
    </Dialog>
  );
}

/** Ask for each item who would gain and lose access; what is refused of one is not begun for the others. */
async function previewOf(rows: Row[], target: Target, signal: AbortSignal): Promise<Answer> {
  if (rows.length > MOST) return { refusal: t.move.tooMany(MOST) };
  const going = away(rows, target);
  if (!going.length) return { refusal: rows.length === 1 ? t.move.itIsThere : t.move.theyAreThere };
  const previews: Preview[] = [];
  const refused: Refusal[] = [];
  for (const row of going) {
    try {
      const { movePreview } = await ask(MovePreview, { itemId: row.id, ...placeOf(target) }, signal);
      if (movePreview) previews.push(movePreview);
    } catch (thrown) {
      refused.push({ of: row, message: failure(thrown).message });
    }
  }
  return refused.length ? { refusal: refusalText(refused) } : { previews };
}

/** Return the items that are not there yet. */
function away(rows: Row[], target: Target): Row[] {
  const { driveId, parentId } = placeOf(target);
  return rows.filter((row) => row.driveId !== driveId || row.parentId !== parentId);
}

function refusalText(refused: Refusal[]): string {
  const [first] = refused;
  if (refused.length === 1 && first) return sentence(first.message);
  const some = refused.slice(0, TOLD).map(({ of, message }) => t.items.refused(of.name, sentence(message)));
  const more = refused.length - TOLD;
  return [...some, ...(more > 0 ? [t.move.andMore(more)] : [])].join(" ");
}
