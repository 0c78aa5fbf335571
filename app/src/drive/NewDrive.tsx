import { Plus } from "lucide-react";
import { useState } from "react";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog } from "../ui/Dialog";
import { NameDialog } from "../ui/NameDialog";
import { useDriveActions } from "./drive_actions";

/** A button that makes a shared drive. */
export function NewDrive({ className }: { className?: string | undefined }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" className={className} onClick={() => setAsked(true)}>
        <Plus aria-hidden size={16} /> {t.drives.new}
      </button>
      {isAsked && <NewDriveDialog close={() => setAsked(false)} />}
    </>
  );
}

/** Asks for the name of a new drive; without an active organization, which drives belong to, says what is missing. */
export function NewDriveDialog({ close }: { close: () => void }) {
  const actions = useDriveActions();
  const organization = useViewer().activeOrganization;
  if (organization) return <NameDialog naming={actions.creating(organization.name)} close={close} />;
  return (
    <Dialog title={t.drives.new} close={close}>
      <p>
        {t.drives.needsOrganization} <a href="/settings/organizations">{t.drives.toOrganizations}</a>
      </p>
      <Buttons>
        <Close>{t.ui.close}</Close>
      </Buttons>
    </Dialog>
  );
}
