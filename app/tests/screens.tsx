/** Screens with what every screen has around it, at an address, in a page without layout. */

import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterAll } from "vitest";
import { DragProvider } from "../src/drive/drag";
import { type Session, SessionProvider } from "../src/graphql/session";
import { CommandsProvider } from "../src/ui/commands";
import { KeysProvider } from "../src/ui/keys";
import { Toasts } from "../src/ui/toasts";

/** Draw a screen, and return where it is: `path()` is the address that it has gone to since. */
export function screenOf(session: Session, children: ReactNode, path = "/") {
  const root = createRootRoute({
    component: () => (
      <Toasts>
        <DragProvider>
          <CommandsProvider>
            <KeysProvider bound={{}}>
              <main id="main" tabIndex={-1}>
                {children}
              </main>
            </KeysProvider>
          </CommandsProvider>
        </DragProvider>
      </Toasts>
    ),
  });
  const anywhere = createRoute({ getParentRoute: () => root, path: "$" });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren([anywhere]), history });
  const drawn = render(
    <SessionProvider session={session}>
      <RouterProvider router={router as never} />
    </SessionProvider>,
  );
  return { ...drawn, path: () => history.location.href };
}

/** Set a property until the file's tests have run: the page is that of the next file, too. */
function lend(owner: object, name: string, property: PropertyDescriptor) {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { ...property, configurable: true });
  afterAll(() => {
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  });
}

/** Give all elements what this page lacks: a size of 800 by 600 pixels, and states for screen readers as properties. */
export function withSizes() {
  const sizes = { offsetWidth: 800, offsetHeight: 600, clientHeight: 600, clientWidth: 800 };
  for (const [name, size] of Object.entries(sizes)) lend(HTMLElement.prototype, name, { get: () => size });
  for (const name of ["Expanded", "Current"])
    lend(Element.prototype, `aria${name}`, {
      get(this: Element) {
        return this.getAttribute(`aria-${name.toLowerCase()}`);
      },
    });
  lend(Element.prototype, "scrollIntoView", { value: () => undefined });
}
