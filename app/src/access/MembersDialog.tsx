import { type FormEvent, useEffect, useId, useMemo, useState } from "react";
import { boot } from "../boot";
import { type AnswerSource, useAnswer } from "../graphql/answer";
import { ask, change } from "../graphql/ask";
import {
  DriveMembers,
  type DriveMembersData,
  DrivePeople,
  type DrivePeopleData,
  type MemberLine,
  RemoveMember,
  type Role,
  UpsertMember,
} from "../graphql/generated";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { Loading, sentence } from "../ui/states";
import style from "./access.module.css";
import { type Acts, useAccessActs } from "./acts";
import { Leaving } from "./Leaving";
import { Told } from "./Told";
import { ROLES } from "./words";

type Drive = NonNullable<DriveMembersData["drive"]>;
type OrganizationPerson = NonNullable<DrivePeopleData["driveOrganizationMembers"]>["nodes"][number];

const AT = "add";
const ABOUT: Readonly<Record<Role, string>> = {
  contributor: "reads, edits, moves and shares everything in the drive",
  manager: "also publishes, moves things out of the drive and chooses members",
  owner: "also chooses owners, deletes for ever, and deletes the drive",
};

/** Who is a member of a drive, and what their role is; members are added, changed and removed here. */
export function MembersDialog({ driveId, name, close }: { driveId: string; name: string; close: () => void }) {
  const source = useMemo<AnswerSource<Drive | null>>(
    () => ({
      load: async () => (await ask(DriveMembers, { id: driveId })).drive,
      concerns: ({ type, driveId: of }) =>
        /^(accessChanged|reload)$/.test(type) || (/^(member|driveRenamed)/.test(type) && of === driveId),
    }),
    [driveId],
  );
  const { value: drive, failure, reload } = useAnswer(source);
  const acts = useAccessActs(reload);
  const title = `Members of “${drive?.name ?? name}”`;
  if (drive === null || failure?.code === "NOT_FOUND" || drive?.role === null)
    return (
      <Dialog title={title} close={close}>
        <p role="status">You are no longer a member of this drive.</p>
        <Buttons>
          <Close>Close</Close>
        </Buttons>
      </Dialog>
    );
  const mayManage = drive?.capabilities.includes("manageMembers");
  return (
    <Dialog title={title} close={close} isWide>
      {failure && <Fault>{sentence(failure.message)}</Fault>}
      {!drive && !failure && <Loading />}
      {drive && mayManage && <AddMember drive={drive} acts={acts} />}
      <Told acts={acts} at="told" />
      {acts.fault?.at === "told" && <Fault>{acts.fault.text}</Fault>}
      {drive && (
        <ul className={style.list} aria-label="Members">
          {drive.members.map((member) => (
            <MemberRow key={member.userId} drive={drive} member={member} acts={acts} />
          ))}
        </ul>
      )}
      <dl className={style.roles}>
        {Object.entries(ABOUT).map(([role, about]) => (
          <div key={role}>
            <dt>{ROLES[role as Role]}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <Buttons>
        <Close>Close</Close>
      </Buttons>
    </Dialog>
  );
}

function MemberRow({ drive, member, acts }: { drive: Drive; member: MemberLine; acts: Acts }) {
  const { userId, role } = member;
  const isOwn = userId === boot.viewer.id;
  const who = isOwn ? "You" : member.name;
  const roles = rolesToGive(drive);
  const mayChange = roles.includes(role);
  const fault = acts.fault?.at === userId ? acts.fault.text : null;
  const remove = () => change(RemoveMember, { driveId: drive.id, userId });

  return (
    <li>
      <div className={style.row}>
        <div className={style.grow}>
          <strong>{who}</strong> <span className={style.faint}>{member.email}</span>
          {!mayChange && <div>{ROLES[role]}</div>}
        </div>
        {mayChange && (
          <RoleSelect
            label={isOwn ? "Your role" : `Role of ${who}`}
            value={role}
            roles={roles}
            isDisabled={acts.isBusy}
            change={(to) =>
              void acts.act(
                userId,
                () => change(UpsertMember, { driveId: drive.id, userId, role: to }),
                `${who}: ${ROLES[to]} now.`,
                // who gives their own role away cannot take it back
                isOwn ? undefined : () => change(UpsertMember, { driveId: drive.id, userId, role }),
                true,
              )
            }
          />
        )}
        {isOwn ? (
          <Leaving
            what="the drive"
            warning="You will no longer see this drive, and cannot come back by yourself."
            isBusy={acts.isBusy}
            leave={() => acts.act(userId, remove, "You left the drive.")}
          />
        ) : (
          mayChange && (
            <button
              type="button"
              className="quiet"
              aria-label={`Remove ${who}`}
              aria-disabled={acts.isBusy}
              onClick={() =>
                void acts.act(userId, remove, `${who} is no longer a member.`, () =>
                  change(UpsertMember, { driveId: drive.id, userId, role }),
                )
              }
            >
              Remove
            </button>
          )
        )}
      </div>
      {fault && <Fault>{fault}</Fault>}
    </li>
  );
}

/** Adds somebody of the drive's organization. */
function AddMember({ drive, acts }: { drive: Drive; acts: Acts }) {
  const [people, setPeople] = useState<OrganizationPerson[]>([]);
  const [userId, setUserId] = useState("");
  const [role, setRole] = useState<Role>("contributor");
  const id = useId();
  const fault = acts.fault?.at === AT ? acts.fault.text : null;

  useEffect(() => {
    let isCurrent = true;
    everybody(drive.id)
      .then((found) => isCurrent && setPeople(found))
      .catch(() => undefined); // the members tell of their own failures
    return () => {
      isCurrent = false;
    };
  }, [drive.id]);

  const others = people.filter((each) => !drive.members.some((member) => member.userId === each.userId));
  const chosen = others.find((each) => each.userId === userId);

  async function add(event: FormEvent) {
    event.preventDefault();
    acts.clear();
    if (!chosen) return acts.refuse(AT, "Choose a person.");
    const done = await acts.act(
      AT,
      () => change(UpsertMember, { driveId: drive.id, userId: chosen.userId, role }),
      `${chosen.name}: ${ROLES[role]} now.`,
      () => change(RemoveMember, { driveId: drive.id, userId: chosen.userId }),
      true,
    );
    if (done) setUserId("");
  }

  return (
    <form onSubmit={add} noValidate>
      <div className={style.row}>
        <div className={style.grow}>
          <label htmlFor={id}>Add somebody of the organization</label>
          <select
            id={id}
            value={chosen ? userId : ""}
            onChange={(event) => setUserId(event.target.value)}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
          >
            <option value="">Choose a person</option>
            {others.map((each) => (
              <option key={each.userId} value={each.userId}>
                {each.name} ({each.email})
              </option>
            ))}
          </select>
        </div>
        <RoleSelect label="Their role" value={role} roles={rolesToGive(drive)} change={setRole} />
        <button type="submit" aria-disabled={acts.isBusy}>
          Add
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
          {ROLES[each]}
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

async function everybody(driveId: string): Promise<OrganizationPerson[]> {
  const found: OrganizationPerson[] = [];
  let after: string | null = null;
  do {
    const { driveOrganizationMembers: page }: DrivePeopleData = await ask(DrivePeople, { id: driveId, after });
    found.push(...(page?.nodes ?? []));
    after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}
