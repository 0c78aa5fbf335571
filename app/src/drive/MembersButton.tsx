import { Users } from "lucide-react";
import type { DriveListData } from "../graphql/generated";
import { formats, t } from "../messages/messages";
import { Avatar } from "../ui/authors";
import { useMedia } from "../ui/media";
import style from "./MembersButton.module.css";

const MAX_SHOWN = 4; // as many as `DriveList` asks for
const MAX_SHOWN_ON_PHONE = 2;

export type Members = NonNullable<DriveListData["drive"]>["membersConnection"];

/** Opens the members of a drive and shows the first of them, and of many how many more there are. */
export function MembersButton({ members: { nodes, totalCount }, open }: { members: Members; open: () => void }) {
  const isPhone = useMedia("(max-width: 47.99rem)");
  const most = isPhone ? MAX_SHOWN_ON_PHONE : MAX_SHOWN;
  const count = totalCount ?? nodes.length;
  const shown = count > most ? nodes.slice(0, most - 1) : nodes;
  const others = count - shown.length;
  const names = shown.map(({ name }) => name);
  return (
    <button
      type="button"
      className={style.members}
      aria-label={t.lists.members}
      title={others > 0 ? `${names.join(", ")} ${t.ui.andMore(others)}` : formats.list(names)}
      onClick={open}
    >
      <span className={style.pile}>
        {shown.map(({ userId, name }) => (
          <Avatar key={userId} author={{ userId, name, agent: null }} />
        ))}
        {others > 0 && <span className={style.others}>+{formats.number(others)}</span>}
      </span>
      {!isPhone && <Users aria-hidden size={18} />}
    </button>
  );
}
