/** Links in the text: the key that leads to one, and which addresses they may have. */

import { Extension } from "@tiptap/core";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    links: {
      /** Ask the person for the address of the selected text, or of the link that the cursor is in. */
      editLink: () => ReturnType;
    };
  }
}

export function links(ask: () => void): Extension {
  return Extension.create({
    name: "links",
    addCommands: () => ({
      editLink:
        () =>
        ({ editor, dispatch }) => {
          if (!editor.isEditable || editor.isActive("codeBlock")) return false;
          if (dispatch) ask();
          return true;
        },
    }),
    addKeyboardShortcuts: () => ({
      // without a selection the key is for the palette
      "Mod-k": ({ editor }) => (!editor.state.selection.empty || editor.isActive("link")) && editor.commands.editLink(),
    }),
  });
}

/** As the server's pages allow them: others would be shown as text there. */
const SCHEMES = ["http:", "https:", "mailto:", "tel:"];
const HOST = /^[\w-]+(\.[\w-]+)+(:\d+)?(?=[/?#]|$)/;
const MAIL = /^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/;

/** Returns the address that somebody typed, with the scheme that it stands for; null where it can be no link. */
export function addressOf(typed: string): string | null {
  const address = typed.trim();
  if (MAIL.test(address)) return `mailto:${address}`;
  if (HOST.test(address)) return `https://${address}`;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(address.replace(/[\s\p{Cc}]/gu, ""));
  return address && (!scheme || SCHEMES.includes(scheme[0].toLowerCase())) ? address : null;
}
