/** Opens a document as soon as its address is entered, so that it comes while its screen is being drawn. */

import type { DocumentSession } from "./document_session";

type Open = () => DocumentSession;

export class Opening {
  /** What was opened for a screen that is not there yet. */
  private ahead: { readonly id: string; readonly document: DocumentSession } | null = null;
  private readonly shown = new Set<string>();

  /** Opens the document of an address that was entered; where its screen is there, it is open. */
  enter(id: string, open: Open) {
    if (this.ahead?.id === id) return;
    this.leave();
    if (!this.shown.has(id)) this.ahead = { id, document: open() };
  }

  /** Closes what no screen came for. */
  leave() {
    this.ahead?.document.destroy();
    this.ahead = null;
  }

  /** Returns the document of a screen that is there now. */
  take(id: string, open: Open): DocumentSession {
    this.shown.add(id);
    if (this.ahead?.id !== id) return open();
    const { document } = this.ahead;
    this.ahead = null;
    return document;
  }

  /** Closes the document of a screen. */
  close(id: string, document: DocumentSession) {
    this.shown.delete(id);
    document.destroy();
  }
}
