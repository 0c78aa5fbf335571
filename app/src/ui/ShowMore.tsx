import { t } from "../messages/messages";
/** The button at the end of a list that is loaded page by page; without more to come there is none. */
export function ShowMore({ list: { hasMore, more } }: { list: { hasMore: boolean; more: () => void } }) {
  if (!hasMore) return null;
  return (
    <button type="button" className="quiet" onClick={more}>
      {t.ui.more}
    </button>
  );
}
