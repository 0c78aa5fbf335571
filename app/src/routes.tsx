import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { arrangementOf } from "./drive/arrangement";
import { DocumentActs } from "./drive/DocumentActs";
import { useItemPlace } from "./drive/place";
import { Breadcrumbs, DriveScreen, FolderScreen, RecentScreen, SharedScreen, TrashScreen } from "./drive/screens";
import type { HistorySearch } from "./history";
import { HomeScreen } from "./home";
import { searchOf } from "./search/address";
import { SearchScreen } from "./search/SearchScreen";
import { ErrorPage } from "./ui/ErrorPage";
import { Shell } from "./ui/Shell";
import { Missing } from "./ui/states";

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

const HistoryScreen = lazyRouteComponent(() => import("./history"), "HistoryScreen");
const AgentsScreen = lazyRouteComponent(() => import("./agents"), "AgentsScreen");
const AgentScreen = lazyRouteComponent(() => import("./agents"), "AgentScreen");
const DocumentScreen = lazyRouteComponent(() => import("./document"), "DocumentScreen");

/** Loads the screen before its route is shown: React keeps a placeholder for at least 300 ms. */
const loading = (screen: { preload?: () => Promise<void> | undefined }) => ({ loader: () => screen.preload?.() });

const document = createRoute({
  ...under,
  ...loading(DocumentScreen),
  path: "/doc/$documentId",
  component: function DocumentRoute() {
    const { documentId } = document.useParams();
    const { value: item } = useItemPlace(documentId);
    return (
      <DocumentScreen
        key={documentId}
        documentId={documentId}
        name={item?.name}
        place={item && <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />}
        acts={item && <DocumentActs item={item} />}
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

export const router = createRouter({
  routeTree: root.addChildren([home, drive, folder, document, history, agents, agent, shared, recent, trash, search]),
  defaultPreload: "intent",
  defaultErrorComponent: ErrorPage,
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
