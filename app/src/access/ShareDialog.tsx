import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ask } from "../graphql/ask";
import { RemoveShare, ShareItem, UpdateShare } from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { Avatar } from "../ui/authors";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { Loading, sentence } from "../ui/states";
import { ActionStatus } from "./ActionStatus";
import { AddPerson, PermissionSelect } from "./AddPerson";
import style from "./access.module.css";
import { type Actions, useAccessActions } from "./actions";
import { ExplainAccess, OwnAccess } from "./ExplainAccess";
import { personName, roleLabel } from "./labels";
import { PublicPage } from "./PublicPage";
import { type AccessItem, type Person, peopleOf } from "./people";
import { itemAccess } from "./queries";

type Props = {
  itemId: string;
  name: string;
  /** Whether the keyboard begins at the button that publishes. */
  isPublishing: boolean;
  close: () => void;
  /** Shows the members of the item's drive instead. */
  showMembers: (driveId: string, name: string) => void;
};

/** Who has access to an item and because of what; access is given, changed and taken here. */
export function ShareDialog({ itemId: first, name, isPublishing, close, showMembers }: Props) {
  const [itemId, setItemId] = useState(first);
  const { data: item, error, refetch } = useQuery(itemAccess(itemId));
  const failure = error?.failure;
  const actions = useAccessActions(refetch);
  const list = useRef<HTMLHeadingElement>(null);
  const publishing = useRef<HTMLButtonElement>(null);
  const beginsThere = isPublishing && itemId === first && !!item;
  useEffect(() => {
    if (beginsThere) publishing.current?.focus();
  }, [beginsThere]);

  function show(id: string) {
    actions.clear();
    setItemId(id);
    list.current?.focus();
  }

  const title = t.access.share(item?.name ?? name);
  if (item === null || failure?.code === "NOT_FOUND")
    return (
      <Dialog title={title} close={close}>
        <p role="status">{t.access.cannotSee}</p>
        <Buttons>
          <Close>{t.ui.close}</Close>
        </Buttons>
      </Dialog>
    );
  const mayShare = item?.capabilities.includes("share");
  return (
    <Dialog title={title} close={close} initialFocus={beginsThere ? publishing : undefined} isWide>
      {failure && <Fault>{sentence(failure.message)}</Fault>}
      {!item && !failure && <Loading />}
      {item && mayShare && <AddPerson itemId={item.id} actions={actions} />}
      <ActionStatus actions={actions} at="dialog" />
      {actions.fault?.at === "dialog" && <Fault>{actions.fault.text}</Fault>}
      {item && mayShare && (
        <section>
          <h3 ref={list} tabIndex={-1} className={style.kind}>
            {t.access.who}
          </h3>
          <ul className={style.list} aria-label={t.access.who}>
            {peopleOf(item).map((person) => (
              <PersonRow
                key={person.email}
                item={item}
                person={person}
                actions={actions}
                show={show}
                showMembers={() => showMembers(item.drive.id, item.drive.name)}
              />
            ))}
          </ul>
        </section>
      )}
      {item && !mayShare && <OwnAccess item={item} actions={actions} />}
      {item && <PublicPage item={item} actions={actions} button={publishing} />}
      {item && mayShare && <ExplainAccess itemId={item.id} />}
      <Buttons>
        <Close>{t.ui.close}</Close>
      </Buttons>
    </Dialog>
  );
}

type RowProps = {
  item: AccessItem;
  person: Person;
  actions: Actions;
  show: (id: string) => void;
  showMembers: () => void;
};

function PersonRow({ item, person, actions, show, showMembers }: RowProps) {
  const { email, given } = person;
  const permission = person.canEdit ? "read_write" : "read_only";
  const who = personName(person, useViewer().email);
  const fault = actions.fault?.at === email ? actions.fault.text : null;
  return (
    <li>
      <div className={style.row}>
        <div className={style.person}>
          <Avatar author={{ userId: person.userId ?? email, name: person.name ?? email, agent: null }} />
          <div className={style.grow}>
            <strong>{who}</strong> {who !== email && <span className={style.faint}>{email}</span>}
            {given && given !== permission && <div>{t.access.permissions[permission]}</div>}
            <Reasons item={item} person={person} show={show} showMembers={showMembers} />
          </div>
        </div>
        {!given && <span className={style.faint}>{t.access.permissions[permission]}</span>}
        {given && (
          <>
            <PermissionSelect
              label={t.access.permissionOf(who)}
              value={given}
              isDisabled={actions.isBusy}
              change={(permission) =>
                void actions.run(
                  email,
                  () => ask(UpdateShare, { itemId: item.id, email, permission }),
                  t.access.shareChanged(who, t.access.permissions[permission]),
                  () => ask(UpdateShare, { itemId: item.id, email, permission: given }),
                  true,
                )
              }
            />
            <button
              type="button"
              className="quiet"
              aria-label={t.access.removeShare(who)}
              aria-disabled={actions.isBusy}
              onClick={() =>
                void actions.run(
                  email,
                  () => ask(RemoveShare, { itemId: item.id, email }),
                  t.access.shareRemoved(who),
                  () => ask(ShareItem, { itemId: item.id, email, permission: given, message: "" }),
                )
              }
            >
              {t.access.remove}
            </button>
          </>
        )}
      </div>
      {fault && <Fault>{fault}</Fault>}
    </li>
  );
}

/** Each role and share that gives somebody access, with the way to where it was given. */
function Reasons({ item, person, show, showMembers }: Omit<RowProps, "actions">) {
  const { email, given, inherited, role } = person;
  const isYou = email === useViewer().email;
  const reasons: ReactNode[] = [];
  if (given) reasons.push(<span key="given">{t.access.sharedHere(isYou)}</span>);
  for (const { id, name, permission } of inherited) {
    reasons.push(
      <span key={id}>
        {t.access.becauseOf(
          t.access.permissions[permission],
          <button type="button" className={style.link} onClick={() => show(id)}>
            {name}
          </button>,
        )}
      </span>,
    );
  }
  if (role) {
    const words = roleLabel(role, item.drive);
    reasons.push(
      item.drive.kind === "shared" ? (
        <button key="role" type="button" className={style.link} onClick={showMembers}>
          {words}
        </button>
      ) : (
        <span key="role">{words}</span>
      ),
    );
  }
  return (
    <ul className={style.reasons} aria-label={t.access.reasons}>
      {reasons.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the reasons have no other name
        <li key={index}>{each}</li>
      ))}
    </ul>
  );
}
