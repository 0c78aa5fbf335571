import { useState } from "react";
import { MembersDialog } from "./MembersDialog";
import { ShareDialog } from "./ShareDialog";

/** What is asked about: the access to an item, for `isPublishing` its public page first, or the members of a drive. */
export type Asked = { kind: "item" | "drive"; id: string; name: string; isPublishing?: boolean };

/** The dialog about access; from an item it leads to the members of its drive. */
export function AccessDialog({ asked: first, close }: { asked: Asked; close: () => void }) {
  const [asked, setAsked] = useState(first);
  const { kind, id, name, isPublishing = false } = asked;
  if (kind === "drive") return <MembersDialog driveId={id} name={name} close={close} />;
  return (
    <ShareDialog
      itemId={id}
      name={name}
      isPublishing={isPublishing}
      close={close}
      showMembers={(driveId, drive) => setAsked({ kind: "drive", id: driveId, name: drive })}
    />
  );
}
