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
import { takeAsOwn } from "./yjs_internals";

/** The document to bind an editor to, and the growth of its schema; or the first thing that an editor would lose. */
export type Held = { mine: Y.Doc; fragment: Y.XmlFragment; growth: Growth } | { misfit: string };

export class Relay {
  held: Held = { misfit: "nothing" };
  private readonly net: Y.Doc;
  private readonly changed: (held: Held) => void;
  private schema: Schema | null = null;
  private receiving = false;

  /** `changed` is called when another document is to be bound. */
  constructor(net: Y.Doc, changed: (held: Held) => void) {
    this.net = net;
    this.changed = changed;
    net.on("update", this.received);
    this.survey();
  }

  destroy() {
    this.net.off("update", this.received);
    if ("mine" in this.held) this.held.mine.destroy();
  }

  private readonly received = (update: Uint8Array, origin: unknown, _: Y.Doc, transaction: Y.Transaction) => {
    if (origin === this) return;
    const { held, schema } = this;
    const fragment = fragmentOf(this.net);
    if ("misfit" in held || !schema || name(fragment) !== name(held.fragment)) return this.renew();
    if (misfitSince(schema, fragment, transaction) !== null) return this.renew();
    this.receiving = true;
    try {
      Y.applyUpdate(held.mine, update, this);
    } finally {
      this.receiving = false;
    }
  };

  private renew() {
    const before = this.held;
    this.survey();
    if ("misfit" in before && "misfit" in this.held && before.misfit === this.held.misfit) return;
    this.changed(this.held);
    if ("mine" in before) before.mine.destroy();
  }

  private survey() {
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
    this.held = { mine, fragment: mine.getXmlFragment(name(fragmentOf(this.net))), growth: survey.growth };
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

function deletesOthers(update: Uint8Array, own: number): boolean {
  return [...Y.decodeUpdate(update).ds.clients.keys()].some((client) => client !== own);
}

function name(fragment: Y.XmlFragment): string {
  return Y.findRootTypeKey(fragment);
}
