import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { ask } from "../graphql/ask";
import { type DriveMembersData, type MemberLine, RemoveMember, type Role, UpsertMember } from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { formats, t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { meant, PeopleField, type Somebody } from "../ui/PeopleField";
import { Loading, sentence } from "../ui/states";
import { ActionStatus } from "./ActionStatus";
import style from "./access.module.css";
import { type Actions, useAccessActions } from "./actions";
import { LeaveButton } from "./LeaveButton";
import { driveMembers, organizationPeople } from "./queries";

type Drive = NonNullable<DriveMembersData["drive"]>;

const AT = "add";

/** Who is a member of a drive, and what their role is; members are added, changed and removed here. */
export function MembersDialog({ driveId, name, close }: { driveId: string; name: string; close: () => void }) {
  const { data: drive, error, refetch } = useQuery(driveMembers(driveId));
  const failure = error?.failure;
  const actions = useAccessActions(refetch);
  const title = t.access.membersOf(drive?.name ?? name);
  if (drive === null || failure?.code === "NOT_FOUND" || drive?.role === null)
    return (
      <Dialog title={title} close={close}>
        <p role="status">{t.access.notMember}</p>
        <Buttons>
          <Close>{t.ui.close}</Close>
        </Buttons>
      </Dialog>
    );
  const mayManage = drive?.capabilities.includes("manageMembers");
  return (
    <Dialog title={title} close={close} isWide>
      {failure && <Fault>{sentence(failure.message)}</Fault>}
      {!drive && !failure && <Loading />}
      {drive && mayManage && <AddMember drive={drive} actions={actions} />}
      <ActionStatus actions={actions} at="dialog" />
      {actions.fault?.at === "dialog" && <Fault>{actions.fault.text}</Fault>}
      {drive && (
        <ul className={style.list} aria-label={t.access.members}>
          {drive.members.map((member) => (
            <MemberRow key={member.userId} drive={drive} member={member} actions={actions} />
          ))}
        </ul>
      )}
      <dl className={style.roles}>
        {Object.entries(t.access.rolesAbout).map(([role, about]) => (
          <div key={role}>
            <dt>{t.access.roles[role as Role]}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <Buttons>
        <Close>{t.ui.close}</Close>
      </Buttons>
    </Dialog>
  );
}

function MemberRow({ drive, member, actions }: { drive: Drive; member: MemberLine; actions: Actions }) {
  const { userId, role } = member;
  const isOwn = userId === useViewer().id;
  const who = isOwn ? t.ui.you : member.name;
  const roles = rolesToGive(drive);
  const mayChange = roles.includes(role);
  const fault = actions.fault?.at === userId ? actions.fault.text : null;
  const remove = () => ask(RemoveMember, { driveId: drive.id, userId });

  return (
    <li>
      <div className={style.row}>
        <div className={style.grow}>
          <strong>{who}</strong> <span className={style.faint}>{member.email}</span>
          {!mayChange && <div>{t.access.roles[role]}</div>}
        </div>
        {mayChange && (
          <RoleSelect
            label={isOwn ? t.access.yourRole : t.access.roleOfPerson(who)}
            value={role}
            roles={roles}
            isDisabled={actions.isBusy}
            change={(to) =>
              void actions.run(
                userId,
                () => ask(UpsertMember, { driveId: drive.id, userId, role: to }),
                t.access.roleGiven(who, t.access.roles[to]),
                // who gives their own role away cannot take it back
                isOwn ? undefined : () => ask(UpsertMember, { driveId: drive.id, userId, role }),
                true,
              )
            }
          />
        )}
        {isOwn ? (
          <LeaveButton
            what={t.access.theDrive}
            warning={t.access.leaveDriveWarning}
            isBusy={actions.isBusy}
            leave={() => actions.run(userId, remove, t.access.leftDrive)}
          />
        ) : (
          mayChange && (
            <button
              type="button"
              className="quiet"
              aria-label={t.access.removePerson(who)}
              aria-disabled={actions.isBusy}
              onClick={() =>
                void actions.run(userId, remove, t.access.removed(who), () =>
                  ask(UpsertMember, { driveId: drive.id, userId, role }),
                )
              }
            >
              {t.access.remove}
            </button>
          )
        )}
      </div>
      {fault && <Fault>{fault}</Fault>}
    </li>
  );
}

/** Adds people of the drive's organization. */
function AddMember({ drive, actions }: { drive: Drive; actions: Actions }) {
  const { data: people = [] } = useQuery(organizationPeople(drive.id)); // the members tell of their own failures
  const [chosen, setChosen] = useState<readonly Somebody[]>([]);
  const [text, setText] = useState("");
  const [role, setRole] = useState<Role>("contributor");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const fault = actions.fault?.at === AT ? actions.fault.text : null;

  const others = people.filter((each) => !drive.members.some((member) => member.userId === each.userId));

  async function add(event: FormEvent) {
    event.preventDefault();
    actions.clear();
    const wanted = meant(chosen, text, others, false);
    if (!wanted?.length) {
      field.current?.focus();
      return actions.refuse(AT, text ? t.access.notInOrganization(text.trim()) : t.access.choosePerson);
    }
    const added: string[] = [];
    await actions.run(
      AT,
      async () => {
        for (const { userId } of wanted) {
          if (userId === null) continue;
          await ask(UpsertMember, { driveId: drive.id, userId, role });
          added.push(userId);
        }
      },
      t.access.roleGiven(formats.list(wanted.map(({ name, email }) => name ?? email)), t.access.roles[role]),
      async () => {
        for (const userId of added) await ask(RemoveMember, { driveId: drive.id, userId });
      },
      true,
    );
    setChosen(wanted.filter(({ userId }) => userId === null || !added.includes(userId)));
    setText("");
  }

  return (
    <form onSubmit={add} noValidate>
      <div className={style.row}>
        <div className={style.grow}>
          <PeopleField
            label={t.access.addPeople}
            placeholder={t.ui.nameOrAddress}
            known={others}
            chosen={chosen}
            choose={setChosen}
            text={text}
            type={setText}
            field={field}
            describedBy={fault ? `${id}-fault` : undefined}
          />
        </div>
        <RoleSelect label={t.access.theirRole} value={role} roles={rolesToGive(drive)} change={setRole} />
        <button type="submit" aria-disabled={actions.isBusy}>
          {t.access.add}
        </button>
      </div>
      {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
    </form>
  );
}

type SelectProps = {
  label: string;
  value: Role;
  roles: Role[];
  change: (role: Role) => void;
  isDisabled?: boolean;
};

function RoleSelect({ label, value, roles, change, isDisabled = false }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      aria-disabled={isDisabled}
      onChange={(event) => change(event.target.value as Role)}
    >
      {roles.map((each) => (
        <option key={each} value={each}>
          {t.access.roles[each]}
        </option>
      ))}
    </select>
  );
}

/** The roles that the reader may give and take away. */
function rolesToGive({ capabilities }: Drive): Role[] {
  if (!capabilities.includes("manageMembers")) return [];
  return capabilities.includes("manageOwners") ? ["contributor", "manager", "owner"] : ["contributor", "manager"];
}
