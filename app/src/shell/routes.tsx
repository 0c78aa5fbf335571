import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { arrangementOf } from "../drive/arrangement";
import { DocumentActions } from "../drive/DocumentActions";
import { DocumentTitle } from "../drive/DocumentTitle";
import { useItemPlace } from "../drive/item_place";
import { Breadcrumbs, DriveScreen, FolderScreen, RecentScreen, SharedScreen, TrashScreen } from "../drive/screens";
import type { HistorySearch } from "../history/versions";
import { HomeScreen } from "../home/HomeScreen";
import { searchOf } from "../search/address";
import { SearchScreen } from "../search/SearchScreen";
import { ErrorPage } from "../ui/ErrorPage";
import { Missing } from "../ui/states";
import { Shell } from "./Shell";

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });
const under = { getParentRoute: () => root };
const listing = { ...under, validateSearch: arrangementOf };

const home = createRoute({ ...under, path: "/", component: HomeScreen });
const shared = createRoute({ ...listing, path: "/shared", component: SharedScreen });
const recent = createRoute({ ...listing, path: "/recent", component: RecentScreen });
const trash = createRoute({ ...listing, path: "/trash", component: TrashScreen });

const drive = createRoute({
  ...listing,
  path: "/drive/$driveId",
  component: function DriveRoute() {
    const { driveId } = drive.useParams();
    return <DriveScreen key={driveId} driveId={driveId} />;
  },
});

const folder = createRoute({
  ...listing,
  path: "/folder/$folderId",
  component: function FolderRoute() {
    const { folderId } = folder.useParams();
    return <FolderScreen key={folderId} folderId={folderId} />;
  },
});

const search = createRoute({
  ...under,
  path: "/search",
  validateSearch: searchOf,
  component: function SearchRoute() {
    const asked = search.useSearch();
    return <SearchScreen key={asked.q} asked={asked} />;
  },
});

const HistoryScreen = lazyRouteComponent(() => import("../history/HistoryScreen"), "HistoryScreen");
const AgentsScreen = lazyRouteComponent(() => import("../agents/AgentScreens"), "AgentsScreen");
const AgentScreen = lazyRouteComponent(() => import("../agents/AgentScreens"), "AgentScreen");
const DocumentScreen = lazyRouteComponent(() => import("../document/DocumentScreen"), "DocumentScreen");

/** Loads the screen before its route is shown: React keeps a placeholder for at least 300 ms. */
const loading = (screen: { preload?: () => Promise<void> | undefined }) => ({ loader: () => screen.preload?.() });

const document = createRoute({
  ...under,
  ...loading(DocumentScreen),
  path: "/doc/$documentId",
  component: function DocumentRoute() {
    const { documentId } = document.useParams();
    const { data: item } = useItemPlace(documentId);
    const [isRenaming, setRenaming] = useState(false);
    const field = useRef<HTMLInputElement>(null);
    return (
      <DocumentScreen
        key={documentId}
        documentId={documentId}
        title={item && <DocumentTitle item={item} isEditing={isRenaming} setEditing={setRenaming} field={field} />}
        place={item && <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />}
        actions={item && <DocumentActions item={item} rename={() => setRenaming(true)} field={field} />}
      />
    );
  },
});

const history = createRoute({
  ...under,
  ...loading(HistoryScreen),
  path: "/doc/$documentId/history",
  validateSearch: (given: Record<string, unknown>): HistorySearch => ({
    ...(isNumber(given.version) && { version: given.version }),
    ...(isNumber(given.since) && { since: given.since }),
    ...(isNumber(given.until) && { until: given.until }),
    ...(isNumber(given.revision) && { revision: given.revision }),
    ...(isMoment(given.time) && { time: given.time }),
    ...(given.user !== undefined && { user: String(given.user) }),
    // a person alone is one without an agent
    ...(given.agent ? { agent: String(given.agent) } : {}),
  }),
  component: function HistoryRoute() {
    const { documentId } = history.useParams();
    return <HistoryScreen key={documentId} documentId={documentId} search={history.useSearch()} />;
  },
});

const agents = createRoute({ ...under, path: "/agents", component: AgentsScreen });

const agent = createRoute({
  ...under,
  ...loading(AgentScreen),
  path: "/agents/$name",
  component: function AgentRoute() {
    const { name } = agent.useParams();
    return <AgentScreen key={name} name={name} />;
  },
});

function isNumber(given: unknown): given is number {
  return typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
}

function isMoment(given: unknown): given is string {
  return typeof given === "string" && !Number.isNaN(Date.parse(given));
}

/** Make the router of the page, which reads its address. */
export function makeRouter() {
  return createRouter({
    routeTree: root.addChildren([home, drive, folder, document, history, agents, agent, shared, recent, trash, search]),
    defaultPreload: "intent",
    defaultErrorComponent: ErrorPage,
    search: { strict: true },
  });
}

declare module "@tanstack/react-router" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the library's
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
