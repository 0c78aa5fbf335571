import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import type { DocumentSession } from "../document/document_session";
import { Opening } from "../document/opening";
import { isPanel, type PanelName } from "../document/panels";
import { arrangementOf } from "../drive/arrangement";
import { DocumentActions } from "../drive/DocumentActions";
import { DocumentByline } from "../drive/DocumentByline";
import { DocumentTitle } from "../drive/DocumentTitle";
import { GoneItem, useLastSeen } from "../drive/GoneItem";
import { useItemPlace } from "../drive/item_place";
import { LinkedFrom } from "../drive/LinkedFrom";
import {
  Breadcrumbs,
  DriveScreen,
  FolderScreen,
  RecentScreen,
  SharedScreen,
  StarredScreen,
  TrashScreen,
} from "../drive/screens";
import type { Session } from "../graphql/session";
import { type HistorySearch, historyOf } from "../history/versions";
import { HomeScreen } from "../home/HomeScreen";
import { searchOf } from "../search/address";
import { SearchScreen } from "../search/SearchScreen";
import { ErrorPage } from "../ui/ErrorPage";
import { Loading, Missing } from "../ui/states";
import { Shell } from "./Shell";

type RouterContext = { session: Session; opening: Opening };

const root = createRootRouteWithContext<RouterContext>()({ component: Shell, notFoundComponent: Missing });
const under = { getParentRoute: () => root };
const listing = { ...under, validateSearch: arrangementOf };

const home = createRoute({ ...under, path: "/", component: HomeScreen });
const shared = createRoute({ ...listing, path: "/shared", component: SharedScreen });
const recent = createRoute({ ...listing, path: "/recent", component: RecentScreen });
const starred = createRoute({ ...listing, path: "/starred", component: StarredScreen });
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

const AgentsScreen = lazyRouteComponent(() => import("../agents/AgentScreens"), "AgentsScreen");
const AgentScreen = lazyRouteComponent(() => import("../agents/AgentScreens"), "AgentScreen");
const HistoryPanel = lazy(() =>
  import("../history/HistoryPanel").then(({ HistoryPanel }) => ({ default: HistoryPanel })),
);
const VersionView = lazy(() => import("../history/VersionView").then(({ VersionView }) => ({ default: VersionView })));
const DocumentScreen = lazyRouteComponent(() => import("../document/DocumentScreen"), "DocumentScreen");

/** Loads the screen before its route is shown: React keeps a placeholder for at least 300 ms. */
const loading = (screen: { preload?: () => Promise<void> | undefined }) => ({ loader: () => screen.preload?.() });

type DocumentSearch = HistorySearch & { panel?: PanelName };

function documentSearch(given: Record<string, unknown>): DocumentSearch {
  return { ...(isPanel(given.panel) && { panel: given.panel }), ...historyOf(given) };
}

type DocumentMatch = {
  params: { documentId: string };
  context: RouterContext;
  loaderData?: typeof DocumentSession | undefined;
};

/** Has the document on its way before its screen is drawn. */
function enterDocument({ params: { documentId }, context: { session, opening }, loaderData: Loaded }: DocumentMatch) {
  if (Loaded) opening.enter(documentId, () => new Loaded(documentId, session));
}

const document = createRoute({
  ...under,
  loader: async () => {
    await DocumentScreen.preload?.();
    return (await import("../document/DocumentScreen")).DocumentSession;
  },
  onEnter: enterDocument,
  onStay: enterDocument,
  onLeave: ({ context: { opening } }) => opening.leave(),
  path: "/doc/$documentId",
  validateSearch: documentSearch,
  component: function DocumentRoute() {
    const { documentId } = document.useParams();
    const { opening } = document.useRouteContext();
    const shown = { documentId, opening, search: document.useSearch() };
    return <DocumentRouteScreen key={documentId} {...shown} />;
  },
});

type ShownDocument = { documentId: string; opening: Opening; search: DocumentSearch };

/** What features have of a document, put together. */
function DocumentRouteScreen({ documentId, opening, search }: ShownDocument) {
  const { data: item } = useItemPlace(documentId);
  const [isRenaming, setRenaming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const last = useLastSeen(documentId);
  const { panel, version } = search;
  return (
    <DocumentScreen
      documentId={documentId}
      opening={opening}
      title={item && <DocumentTitle item={item} isEditing={isRenaming} setEditing={setRenaming} field={field} />}
      byline={item && <DocumentByline item={item} />}
      linkedFrom={<LinkedFrom documentId={documentId} />}
      place={item && <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />}
      actions={item && <DocumentActions item={item} rename={() => setRenaming(true)} field={field} />}
      gone={(unsaved) => <GoneItem id={documentId} last={last} unsaved={unsaved} />}
      panel={panel}
      hasHistory={item?.capabilities.includes("versions") ?? false}
      history={
        (panel === "changes" || panel === "versions") && (
          <Suspense fallback={<Loading />}>
            <HistoryPanel documentId={documentId} panel={panel} search={search} />
          </Suspense>
        )
      }
      version={
        panel === "versions" &&
        version !== undefined && (
          <Suspense fallback={<Loading />}>
            <VersionView
              key={version}
              documentId={documentId}
              number={version}
              mayRestore={item?.capabilities.includes("edit") ?? false}
            />
          </Suspense>
        )
      }
    />
  );
}

const history = createRoute({
  ...under,
  path: "/doc/$documentId/history",
  validateSearch: historyOf,
  beforeLoad: ({ params, search }) => {
    const panel = search.version === undefined ? "changes" : "versions";
    throw redirect({ to: "/doc/$documentId", params, search: { panel, ...search }, replace: true });
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

/** Make the router of the page, which reads its address. */
export function makeRouter(session: Session) {
  return createRouter({
    context: { session, opening: new Opening() },
    routeTree: root.addChildren([
      home,
      drive,
      folder,
      document,
      history,
      agents,
      agent,
      shared,
      starred,
      recent,
      trash,
      search,
    ]),
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
