/** The reader's agents, and what each of them did. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ItemLink } from "../drive/ItemLink";
import { ask } from "../graphql/ask";
import { isNotice, type ViewerEvent } from "../graphql/events";
import { AgentDocuments, OwnAgents, type OwnAgentsData, type Row } from "../graphql/generated";
import { answer, pages, usePages } from "../graphql/queries";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { AgentSign } from "../ui/authors";
import { Moment } from "../ui/Moment";
import { ShowMore } from "../ui/ShowMore";
import { Empty, Failed, Loading, NotLive } from "../ui/states";
import { useTitle } from "../ui/title";
import style from "./agents.module.css";

type Agent = OwnAgentsData["viewer"]["agents"][number] & { usedAt: string | null };

function agentsOf(userId: string) {
  const agents = answer(
    ["agents"],
    async (signal): Promise<Agent[]> => {
      const { agents, apiKeys } = (await ask(OwnAgents, {}, signal)).viewer;
      return agents.map((agent) => {
        const used = apiKeys.filter((key) => key.agent === agent.name).map((key) => key.lastUsedAt ?? "");
        return { ...agent, usedAt: used.sort().at(-1) || null };
      });
    },
    (event) => isOfAgent(userId, event),
  );
  return { ...agents, staleTime: 0 }; // no event tells of the use of a key
}

/** Whether an event may touch what is told of a user's agents. */
function isOfAgent(userId: string, event: ViewerEvent): boolean {
  return isNotice(event) || (event.by?.userId === userId && event.by.agent !== null);
}

export function AgentsScreen() {
  const { data: agents, error, refetch } = useQuery(agentsOf(useViewer().id));
  useTitle(t.agents.title);
  if (error && !agents) return <Failed failure={error.failure} retry={() => void refetch()} />;
  return (
    <div className={style.screen}>
      <h1>{t.agents.own}</h1>
      <NotLive />
      <p>
        {t.agents.about} <a href="/settings/agents">{t.shell.connectAgent}</a>
      </p>
      {!agents && <Loading />}
      {agents?.length === 0 && (
        <Empty>
          <p>{t.agents.none}</p>
        </Empty>
      )}
      <ul className={style.list}>
        {agents?.map((agent) => (
          <li key={agent.name}>
            <Link to="/agents/$name" params={{ name: agent.name }}>
              <AgentSign />
              {agent.name}
            </Link>
            <p>
              {agent.lastEditedAt
                ? t.agents.edited(
                    agent.lastEdited ? <ItemLink item={agent.lastEdited} /> : t.agents.hidden,
                    <Moment at={agent.lastEditedAt} />,
                  )
                : t.agents.neverEdited}
              {agent.usedAt && (
                <>
                  {" · "}
                  {t.agents.keyUsed(<Moment at={agent.usedAt} />)}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Listed = Row & { path: { id: string; name: string }[] | null };

function documentsOf(userId: string, agent: string) {
  return pages<Listed>(
    ["agent documents", agent],
    async (after, signal) => {
      const { search } = await ask(AgentDocuments, { agent, userId, after }, signal);
      return { entries: search.nodes, next: search.pageInfo };
    },
    (event, entries) =>
      isOfAgent(userId, event) || (event.type !== "documentEdited" && !!entries?.some(({ id }) => id === event.itemId)),
  );
}

export function AgentScreen({ name }: { name: string }) {
  const { id: userId } = useViewer();
  const list = usePages(documentsOf(userId, name));
  const { entries, failure, reload } = list;
  useTitle(name);
  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <nav aria-label={t.lists.breadcrumbs}>
        <Link to="/agents">{t.agents.own}</Link>
      </nav>
      <h1>
        <AgentSign />
        {name}
      </h1>
      <NotLive />
      <h2>{t.agents.documents}</h2>
      {!entries && <Loading />}
      {entries?.length === 0 && (
        <Empty>
          <p>{t.agents.noDocuments}</p>
        </Empty>
      )}
      <ul className={style.list}>
        {entries?.map((row) => (
          <li key={row.id}>
            <ItemLink item={row} />
            {row.path && row.path.length > 0 && (
              <span> {t.agents.in(row.path.map((step) => step.name).join(" / "))}</span>
            )}
            <p>
              <Link
                to="/doc/$documentId"
                params={{ documentId: row.id }}
                search={{ panel: "changes", since: 0, user: userId, agent: name }}
              >
                {t.agents.review}
                <span className="unseen"> {t.agents.reviewIn(row.name)}</span>
              </Link>
            </p>
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </div>
  );
}
