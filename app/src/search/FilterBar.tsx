import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDrives } from "../drive/drives";
import style from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { AgentNames, DriveMembers, ItemPlace } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { driveName } from "../ui/drive_name";
import { type SearchAddress, searchOf } from "./address";

/** A value of a filter, in its words. */
type Option = readonly [value: string, title: string];

/** What a search is limited to: a place, a kind, a time, an author. Its address keeps them. */
export function FilterBar({ asked }: { asked: SearchAddress }) {
  const { drive, folder, type, changed, user, agent } = asked;
  const navigate = useNavigate();
  const drives = useDrives().map((drive): Option => [drive.id, driveName(drive)]);
  const named = useNames(asked);

  const limit = (given: { [Name in keyof SearchAddress]?: string | undefined }) =>
    void navigate({ to: "/search", search: searchOf({ ...asked, ...given }) });

  return (
    <div className={style.buttons}>
      <Filter
        label={t.search.where}
        value={folder ?? drive}
        all={t.search.everywhere}
        options={folder ? [[folder, named?.folder ?? t.search.folder], ...drives] : drives}
        choose={(drive) => limit({ drive, folder: undefined })}
      />
      <Filter
        label={t.search.show}
        value={type}
        all={t.search.allKinds}
        options={Object.entries(t.kindsOf)}
        choose={(type) => limit({ type })}
      />
      <Filter
        label={t.search.changed}
        value={changed}
        all={t.search.anyTime}
        options={Object.entries(t.search.periods)}
        choose={(changed) => limit({ changed })}
      />
      <Filter
        label={t.search.by}
        value={user && authorId(user, agent)}
        all={t.search.byAnybody}
        options={named?.authors ?? []}
        choose={(author) => limit(authorOf(author))}
      />
    </div>
  );
}

type FilterProps = {
  label: string;
  value: string | undefined;
  /** What it is called where nothing is left out. */
  all: string;
  options: readonly Option[];
  choose: (value: string) => void;
};

function Filter({ label, value = "", all, options, choose }: FilterProps) {
  const isKnown = !value || options.some(([each]) => each === value);
  return (
    <select aria-label={label} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="">{all}</option>
      {!isKnown && <option value={value}>{t.search.other}</option>}
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}

type Names = { folder: string | undefined; authors: Option[] };

/** Return the name of the folder that is searched, and who can be chosen: the reader, their agents, the members of the drive. */
function useNames({ drive, folder }: SearchAddress): Names | undefined {
  const { id } = useViewer();
  return useQuery(
    answer(["filter names", drive, folder], async (signal): Promise<Names> => {
      const [{ viewer }, within, place] = await Promise.all([
        ask(AgentNames, {}, signal),
        drive ? ask(DriveMembers, { id: drive }, signal) : null,
        folder ? ask(ItemPlace, { id: folder }, signal) : null,
      ]);
      const others = within?.drive?.members.filter(({ userId }) => userId !== id) ?? [];
      return {
        folder: place?.driveItem?.name,
        authors: [
          [id, t.search.byYou],
          ...viewer.agents.map(({ name }): Option => [authorId(id, name), t.search.byName(name)]),
          ...others.map(({ userId, name }): Option => [userId, t.search.byName(name)]),
        ],
      };
    }),
  ).data;
}

/** An author as one word: ids have no spaces. */
function authorId(user: string, agent: string | undefined): string {
  return agent === undefined ? user : `${user} ${agent}`;
}

function authorOf(id: string): Pick<SearchAddress, "user" | "agent"> {
  const [user, ...agent] = id.split(" ");
  return { user, agent: agent.join(" ") };
}
