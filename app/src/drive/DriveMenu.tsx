import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { DriveName } from "../graphql/generated";
import { t } from "../messages/messages";
import { ConfirmDialog, type Question } from "../ui/ConfirmDialog";
import { useCommands } from "../ui/commands";
import { MenuItem, MoreMenu } from "../ui/menu";
import { NameDialog, type Naming } from "../ui/NameDialog";
import { useDriveActions } from "./drive_actions";

/** What can be done to a drive itself, by those who may. */
export function DriveMenu({ drive }: { drive: DriveName }) {
  const [naming, setNaming] = useState<Naming | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const actions = useDriveActions();
  const able = [
    {
      capability: "rename",
      name: t.drives.rename,
      Icon: Pencil,
      run: () => setNaming(actions.renaming(drive)),
    },
    {
      capability: "delete",
      name: t.drives.delete,
      Icon: Trash2,
      run: () => setQuestion(actions.deleting(drive)),
    },
  ] as const;
  // a personal drive is shown by a name of the interface, whatever its own is
  const offered =
    drive.kind === "personal" ? [] : able.filter(({ capability }) => drive.capabilities.includes(capability));
  useCommands(offered);
  return (
    <>
      {offered.length > 0 && (
        <MoreMenu within="main" label={t.drives.actions}>
          {offered.map(({ name, Icon, run }) => (
            <MenuItem key={name} onClick={run}>
              <Icon aria-hidden size={16} /> {name}
            </MenuItem>
          ))}
        </MoreMenu>
      )}
      {naming && <NameDialog naming={naming} close={() => setNaming(null)} />}
      {question && <ConfirmDialog question={question} close={() => setQuestion(null)} />}
    </>
  );
}
