import { useNavigate } from "@tanstack/react-router";
import { ask, failure } from "../graphql/ask";
import { CreateDrive, DeleteDrive, type DriveName, RenameDrive } from "../graphql/generated";
import { t } from "../messages/messages";
import type { Question } from "../ui/ConfirmDialog";
import type { Naming } from "../ui/NameDialog";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";

/** What a person does with drives themselves. */
export function useDriveActions() {
  const { notify, warn } = useToast();
  const navigate = useNavigate();

  return {
    creating: (organization: string): Naming => ({
      title: t.drives.newOf(organization),
      verb: t.drives.create,
      name: t.drives.new,
      async give(name) {
        const { createDrive } = await ask(CreateDrive, { name });
        void navigate({ to: "/drive/$driveId", params: { driveId: createDrive.id } });
      },
    }),
    renaming: ({ id: driveId, name: before }: DriveName): Naming => ({
      title: t.drives.renaming(before),
      verb: t.lists.rename,
      name: before,
      async give(name) {
        if (name === before) return;
        await ask(RenameDrive, { driveId, name });
        const nameBack = () => ask(RenameDrive, { driveId, name: before });
        notify(t.drives.renamed(before, name), () => {
          nameBack().catch((thrown) => warn(sentence(failure(thrown).message)));
        });
      },
    }),
    deleting: ({ id: driveId, name }: DriveName): Question => ({
      title: t.drives.deleting(name),
      warning: t.drives.deletingWarning,
      verb: t.drives.deleteVerb,
      async run() {
        await ask(DeleteDrive, { driveId });
        void navigate({ to: "/" });
        notify(t.drives.deleted(name));
      },
    }),
  };
}
