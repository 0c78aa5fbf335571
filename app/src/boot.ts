import type { SidebarData } from "./graphql/generated";

/** The page's first data, which the server writes into it (`web/application_page.py`). */
export type Boot = SidebarData & { changesCursor: string; csrf: string };

function read(): Boot {
  const held = document.getElementById("boot")?.textContent;
  if (!held) throw new Error("the page has no first data");
  return JSON.parse(held) as Boot;
}

export const boot: Boot = read();
