/** The reader's agents, and what each of them did. */

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { boot } from "../boot";
import { ItemLink } from "../drive/ItemLink";
import { ask } from "../graphql/ask";
import type { Change } from "../graphql/changes";
import { AgentDocuments, OwnAgents, type OwnAgentsData, type Row } from "../graphql/generated";
import { type Page, usePages } from "../graphql/pages";
import { Moment } from "../ui/Moment";
import { Empty, Failed, Loading, NotLive } from "../ui/states";
import { useTitle } from "../ui/title";
import style from "./agents.module.css";

type Agent = OwnAgentsData["viewer"]["agents"][number] & { usedAt: string | null };
const WHOLE = { hasNextPage: false, endCursor: null };

const AGENTS = {
  async load(): Promise<Page<Agent>> {
    const { agents, apiKeys } = (await ask(OwnAgents, {})).viewer;
    const entries = agents.map((agent) => {
      const used = apiKeys.filter((key) => key.agent === agent.name).map((key) => key.lastUsedAt ?? "");
      return { ...agent, usedAt: used.sort().at(-1) || null };
    });
    return { entries, next: WHOLE };
  },
  concerns: isOfOwnAgent,
};

/** Whether a change may touch what is told of the reader's agents. */
function isOfOwnAgent({ type, by }: Change): boolean {
  return type === "accessChanged" || type === "reload" || (by?.userId === boot.viewer.id && by.agent !== null);
}

export function AgentsScreen() {
  const { entries, failure, reload } = usePages<Agent>(AGENTS);
  useTitle("Agents");
  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <h1>Your agents</h1>
      <NotLive />
      <p>
        Software that works beside you with a key of its own. <a href="/settings/agents">Connect an agent</a>
      </p>
      {!entries && <Loading />}
      {entries?.length === 0 && (
        <Empty>
          <p>You have no agent yet.</p>
        </Empty>
      )}
      <ul className={style.list}>
        {entries?.map((agent) => (
          <li key={agent.name}>
            <Link to="/agents/$name" params={{ name: agent.name }}>
              {agent.name}
            </Link>
            <p>
              {agent.lastEditedAt ? (
                <>
                  edited {agent.lastEdited ? <ItemLink item={agent.lastEdited} /> : "what you no longer see"} last,{" "}
                  <Moment at={agent.lastEditedAt} isExact />
                </>
              ) : (
                "has not edited anything yet"
              )}
              {agent.usedAt && (
                <>
                  {" "}
                  · its key was used last on <Moment at={agent.usedAt} isExact />
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

export function AgentScreen({ name }: { name: string }) {
  const { entries, failure, hasMore, more, reload } = usePages<Listed>(
    useMemo(
      () => ({
        async load(after) {
          const { search } = await ask(AgentDocuments, { agent: name, userId: boot.viewer.id, after });
          return { entries: search.nodes, next: search.pageInfo };
        },
        concerns: (change, entries) =>
          isOfOwnAgent(change) || (change.type !== "documentEdited" && entries.some(({ id }) => id === change.itemId)),
      }),
      [name],
    ),
  );
  useTitle(name);
  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <nav aria-label="Breadcrumbs">
        <Link to="/agents">Your agents</Link>
      </nav>
      <h1>{name}</h1>
      <NotLive />
      <h2>Documents that it made or wrote in</h2>
      {!entries && <Loading />}
      {entries?.length === 0 && (
        <Empty>
          <p>It wrote in nothing that you see.</p>
        </Empty>
      )}
      <ul className={style.list}>
        {entries?.map((row) => (
          <li key={row.id}>
            <ItemLink item={row} />
            {row.path && row.path.length > 0 && <span> in {row.path.map((step) => step.name).join(" / ")}</span>}
            <p>
              <Link
                to="/doc/$documentId/history"
                params={{ documentId: row.id }}
                search={{ since: 0, user: boot.viewer.id, agent: name }}
              >
                See and undo what it changed<span className="unseen"> in {row.name}</span>
              </Link>
            </p>
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="quiet" onClick={more}>
          Show more
        </button>
      )}
    </div>
  );
}
