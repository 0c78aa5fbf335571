import { useNavigate } from "@tanstack/react-router";
import { ask, failure } from "../graphql/ask";
import { CreateDrive, DeleteDrive, type DriveName, RenameDrive } from "../graphql/generated";
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
      title: `New drive of ${organization}`,
      verb: "Create",
      name: "New drive",
      async give(name) {
        const { createDrive } = await ask(CreateDrive, { name });
        void navigate({ to: "/drive/$driveId", params: { driveId: createDrive.id } });
      },
    }),
    renaming: ({ id: driveId, name: before }: DriveName): Naming => ({
      title: `Rename the drive “${before}”`,
      verb: "Rename",
      name: before,
      async give(name) {
        if (name === before) return;
        await ask(RenameDrive, { driveId, name });
        const nameBack = () => ask(RenameDrive, { driveId, name: before });
        notify(`The drive “${before}” is now “${name}”.`, () => {
          nameBack().catch((thrown) => warn(sentence(failure(thrown).message)));
        });
      },
    }),
    deleting: ({ id: driveId, name }: DriveName): Question => ({
      title: `Delete the drive “${name}”`,
      warning:
        "A drive in which nothing is left, in its trash neither, is deleted for ever: this cannot be taken back.",
      verb: "Delete",
      async run() {
        await ask(DeleteDrive, { driveId });
        void navigate({ to: "/" });
        notify(`The drive “${name}” is deleted.`);
      },
    }),
  };
}
