import { Outlet } from "@tanstack/react-router";

/** The frame of every screen. */
export function Shell() {
  return (
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
  );
}
