/** What the panel beside a document shows, as its address names it. */

export const PANELS = ["outline", "authors", "changes", "versions"] as const;

export type PanelName = (typeof PANELS)[number];

export function isPanel(given: unknown): given is PanelName {
  return PANELS.some((name) => name === given);
}

/** Whether it shows the history of a document, which is for those who may edit it. */
export function isHistory(panel: PanelName): boolean {
  return panel === "changes" || panel === "versions";
}
