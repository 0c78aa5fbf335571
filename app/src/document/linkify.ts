/**
 * Stands for `linkifyjs` in the editor's links: that knows all domains of the internet, which is a twentieth of the editor, and is
 * needed when somebody writes. Until it is loaded no address is found in what is written.
 */

import type * as Linkify from "linkifyjs";

let library: Pick<typeof Linkify, "find" | "tokenize" | "reset" | "registerCustomProtocol"> | null = null;

export async function loadLinkify() {
  library = await import("linkifyjs/dist/linkify.mjs");
}

export const find = (...given: Parameters<typeof Linkify.find>) => library?.find(...given) ?? [];
export const tokenize = (...given: Parameters<typeof Linkify.tokenize>) => library?.tokenize(...given) ?? [];
export const reset = () => library?.reset();
export const registerCustomProtocol = (...given: Parameters<typeof Linkify.registerCustomProtocol>) =>
  library?.registerCustomProtocol(...given);
