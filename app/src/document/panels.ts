/** What the panel beside a document shows, as its address names it. */

export const PANELS = {
  outline: "Outline",
  authors: "Authors",
  changes: "Changes",
  versions: "Versions",
} as const;

export type PanelName = keyof typeof PANELS;

export function isPanel(given: unknown): given is PanelName {
  return typeof given === "string" && Object.hasOwn(PANELS, given);
}

/** Whether it shows the history of a document, which is for those who may edit it. */
export function isHistory(panel: PanelName): boolean {
  return panel === "changes" || panel === "versions";
}
