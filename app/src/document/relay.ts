/**
 * Stands between the document of the network and the one that the editor is bound to.
 *
 * `net` is what the server has; `mine` gets its updates only after the guard found that the schema holds them whole.
 * Where it does not, `mine` is made anew with a schema that has grown; where none can hold it, nothing is bound.
 */

import type { Schema } from "@tiptap/pm/model";
import * as Y from "yjs";
import { t } from "../messages/messages";
import { fragmentOf, grow, misfitSince } from "./guard";
import type { Growth } from "./schema";
import { itemOf, takeAsOwn } from "./yjs_internals";

/** The document to bind an editor to, and the growth of its schema; or the first thing that an editor would lose. */
export type Held =
  | {
      mine: Y.Doc;
      fragment: Y.XmlFragment;
      growth: Growth;
      /** Has edits of others wait that touch this block of `mine`, and those after them, until it is called with null or another. */
      composing: (block: Y.XmlElement | null) => void;
    }
  | { misfit: string };

const MOST = 2_000; // milliseconds that edits of others wait

export class Relay {
  held: Held = { misfit: "nothing" };
  private readonly net: Y.Doc;
  private readonly changed: (held: Held) => void;
  private schema: Schema | null = null;
  private receiving = false;
  /** The block of `mine` in which somebody composes: drawn anew, its text would be garbled. */
  private composed: Y.ID | null = null;
  private waiting: Uint8Array[] = [];
  private waited: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called when another document is to be bound. */
  constructor(net: Y.Doc, changed: (held: Held) => void) {
    this.net = net;
    this.changed = changed;
    net.on("update", this.received);
    this.survey();
  }

  destroy() {
    this.net.off("update", this.received);
    clearTimeout(this.waited);
    this.waiting = [];
    if ("mine" in this.held) this.held.mine.destroy();
  }

  private readonly received = (update: Uint8Array, origin: unknown, _: Y.Doc, transaction: Y.Transaction) => {
    if (origin === this) return;
    const { held, schema } = this;
    const fragment = fragmentOf(this.net);
    if ("misfit" in held || !schema || name(fragment) !== name(held.fragment)) return this.renew();
    if (misfitSince(schema, fragment, transaction) !== null) return this.renew();
    if (this.waiting.length > 0 || (this.composed && touches(transaction, this.composed))) return this.wait(update);
    this.apply(held.mine, update);
  };

  private readonly composing = (block: Y.XmlElement | null) => {
    const before = this.composed;
    this.composed = (block && itemOf(block)?.id) ?? null;
    if (!this.composed || !Y.compareIDs(this.composed, before)) this.release();
  };

  private wait(update: Uint8Array) {
    this.waiting.push(update);
    this.waited ??= setTimeout(this.release, MOST);
  }

  private readonly release = () => {
    clearTimeout(this.waited);
    this.waited = undefined;
    const { held, waiting } = this;
    this.waiting = [];
    if ("mine" in held && waiting.length > 0) this.apply(held.mine, Y.mergeUpdates(waiting));
  };

  private apply(mine: Y.Doc, update: Uint8Array) {
    this.receiving = true;
    try {
      Y.applyUpdate(mine, update, this);
    } finally {
      this.receiving = false;
    }
  }

  private renew() {
    const before = this.held;
    this.survey();
    if ("misfit" in before && "misfit" in this.held && before.misfit === this.held.misfit) return;
    this.changed(this.held);
    if ("mine" in before) before.mine.destroy();
  }

  private survey() {
    // what waits is in the document that is made anew
    this.composed = null;
    this.waiting = [];
    const survey = grow(fragmentOf(this.net));
    if ("misfit" in survey) {
      this.schema = null;
      this.held = survey;
      return;
    }
    const mine = new Y.Doc();
    takeAsOwn(mine);
    mine.clientID = this.net.clientID;
    Y.applyUpdate(mine, Y.encodeStateAsUpdate(this.net), this);
    mine.on("update", (update: Uint8Array, origin: unknown) => this.sent(mine, update, origin));
    this.schema = survey.schema;
    const fragment = mine.getXmlFragment(name(fragmentOf(this.net)));
    this.held = { mine, fragment, growth: survey.growth, composing: this.composing };
  }

  private sent(mine: Y.Doc, update: Uint8Array, origin: unknown) {
    if (origin === this || !("mine" in this.held) || this.held.mine !== mine) return;
    if (this.receiving && deletesOthers(update, mine.clientID)) {
      // The guard lets nothing through that the binding deletes; should it ever, the deletion stays here.
      this.held = { misfit: t.document.misfits.unexpected };
      this.schema = null;
      queueMicrotask(() => this.changed(this.held));
      return;
    }
    Y.applyUpdate(this.net, update, this);
  }
}

/** Whether a transaction changed what is in the item's type, or deleted it. */
function touches({ changed, deleteSet }: Y.Transaction, id: Y.ID): boolean {
  if (Y.isDeleted(deleteSet, id)) return true;
  return [...changed.keys()].some((type) => {
    for (let item = itemOf(type); item; item = item.parent instanceof Y.AbstractType ? itemOf(item.parent) : null) {
      if (Y.compareIDs(item.id, id)) return true;
    }
    return false;
  });
}

function deletesOthers(update: Uint8Array, own: number): boolean {
  return [...Y.decodeUpdate(update).ds.clients.keys()].some((client) => client !== own);
}

function name(fragment: Y.XmlFragment): string {
  return Y.findRootTypeKey(fragment);
}
