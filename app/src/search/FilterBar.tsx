import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { KINDS } from "../drive/actions";
import { useDrives } from "../drive/drives";
import style from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { AgentNames, DriveMembers, ItemPlace } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { useViewer } from "../graphql/session";
import { PERIODS, type SearchAddress, searchOf } from "./address";

/** A value of a filter, in its words. */
type Option = readonly [value: string, title: string];

const TYPES = Object.entries(KINDS).map(([type, name]): Option => [type, `${name}s`]);
const SINCE = Object.entries(PERIODS).map(([period, { title }]): Option => [period, title]);

/** What a search is limited to: a place, a kind, a time, an author. Its address keeps them. */
export function FilterBar({ asked }: { asked: SearchAddress }) {
  const { drive, folder, type, changed, user, agent } = asked;
  const navigate = useNavigate();
  const drives = useDrives().map(({ id, name }): Option => [id, name]);
  const named = useNames(asked);

  const limit = (given: { [Name in keyof SearchAddress]?: string | undefined }) =>
    void navigate({ to: "/search", search: searchOf({ ...asked, ...given }) });

  return (
    <div className={style.buttons}>
      <Filter
        label="Where"
        value={folder ?? drive}
        all="Everywhere"
        options={folder ? [[folder, named?.folder ?? "A folder"], ...drives] : drives}
        choose={(drive) => limit({ drive, folder: undefined })}
      />
      <Filter label="Show" value={type} all="Everything" options={TYPES} choose={(type) => limit({ type })} />
      <Filter
        label="Changed"
        value={changed}
        all="At any time"
        options={SINCE}
        choose={(changed) => limit({ changed })}
      />
      <Filter
        label="By"
        value={user && authorId(user, agent)}
        all="By anybody"
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
      {!isKnown && <option value={value}>As the address says</option>}
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
          [id, "By you"],
          ...viewer.agents.map(({ name }): Option => [authorId(id, name), `By ${name}`]),
          ...others.map(({ userId, name }): Option => [userId, `By ${name}`]),
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
