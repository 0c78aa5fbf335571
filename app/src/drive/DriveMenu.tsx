import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { DriveName } from "../graphql/generated";
import { useOffer } from "../palette/acts";
import { ConfirmDialog, type Question } from "../ui/ConfirmDialog";
import { MenuItem, MoreMenu } from "../ui/menu";
import { NameDialog, type Naming } from "../ui/NameDialog";
import { useDriveActs } from "./drive_acts";

/** What can be done to a drive itself, by those who may. */
export function DriveMenu({ drive }: { drive: DriveName }) {
  const [naming, setNaming] = useState<Naming | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const acts = useDriveActs();
  const able = [
    {
      capability: "rename",
      name: "Rename the drive",
      Icon: Pencil,
      run: () => setNaming(acts.renaming(drive)),
    },
    {
      capability: "delete",
      name: "Delete the drive…",
      Icon: Trash2,
      run: () => setQuestion(acts.deleting(drive)),
    },
  ] as const;
  const offered = able.filter(({ capability }) => drive.capabilities.includes(capability));
  useOffer(offered);
  return (
    <>
      {offered.length > 0 && (
        <MoreMenu within="main" label="Actions for the drive">
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
