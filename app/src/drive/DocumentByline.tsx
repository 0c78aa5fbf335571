import { useQuery } from "@tanstack/react-query";
import { LAST_EDITS } from "../graphql/queries";
import { t } from "../messages/messages";
import { SignedAuthor } from "../ui/authors";
import { Moment } from "../ui/Moment";
import style from "./DocumentTitle.module.css";
import type { PlacedItem } from "./item_place";

/** Says who changed a document last, and when. */
export function DocumentByline({ item }: { item: PlacedItem }) {
  const { data: edits = {} } = useQuery(LAST_EDITS);
  const edit = edits[item.id];
  const { updatedAt, updatedBy } = edit && edit.updatedAt > item.updatedAt ? edit : item;
  return (
    <p className={style.byline}>
      {t.document.changedBy(<SignedAuthor author={updatedBy} />, <Moment at={updatedAt} />)}
    </p>
  );
}
