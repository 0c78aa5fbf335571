import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { DriveScreen, FolderScreen, HomeScreen, SharedScreen, TrashScreen } from "./drive/screens";
import { SearchScreen } from "./search/SearchScreen";
import { Shell } from "./ui/Shell";
import { Missing } from "./ui/states";

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });
const under = { getParentRoute: () => root };

const home = createRoute({ ...under, path: "/", component: HomeScreen });
const shared = createRoute({ ...under, path: "/shared", component: SharedScreen });
const trash = createRoute({ ...under, path: "/trash", component: TrashScreen });

const drive = createRoute({
  ...under,
  path: "/drive/$driveId",
  component: function DriveRoute() {
    const { driveId } = drive.useParams();
    return <DriveScreen key={driveId} driveId={driveId} />;
  },
});

const folder = createRoute({
  ...under,
  path: "/folder/$folderId",
  component: function FolderRoute() {
    const { folderId } = folder.useParams();
    return <FolderScreen key={folderId} folderId={folderId} />;
  },
});

const search = createRoute({
  ...under,
  path: "/search",
  validateSearch: (given: Record<string, unknown>) => ({ q: String(given.q ?? "") }),
  component: function SearchRoute() {
    return <SearchScreen text={search.useSearch().q} />;
  },
});

const document = createRoute({
  ...under,
  path: "/doc/$documentId",
  component: function DocumentRoute() {
    const { documentId } = document.useParams();
    return <DocumentScreen key={documentId} documentId={documentId} />;
  },
});

const DocumentScreen = lazyRouteComponent(() => import("./document"), "DocumentScreen");

export const router = createRouter({
  routeTree: root.addChildren([home, drive, folder, document, shared, trash, search]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
