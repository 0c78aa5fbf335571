import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Shell } from "./ui/Shell";

const root = createRootRoute({ component: Shell });

const document = createRoute({
  getParentRoute: () => root,
  path: "/doc/$documentId",
  component: function DocumentRoute() {
    const { documentId } = document.useParams();
    return <DocumentScreen key={documentId} documentId={documentId} />;
  },
});

const DocumentScreen = lazyRouteComponent(() => import("./document"), "DocumentScreen");

export const router = createRouter({ routeTree: root.addChildren([document]), defaultPreload: "intent" });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
