/** Links in the text: the keys and the click that ask for one and open it. */

import { type Editor, Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { mayLead, OUTWARD } from "./addresses";

declare module "@tiptap/core" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the library's
  interface Commands<ReturnType> {
    links: {
      /** Ask the person for the address of the selected text, or of the link that the cursor is in. */
      editLink: () => ReturnType;
      /** Open the link that the cursor is in beside the document. */
      openLink: () => ReturnType;
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
      openLink:
        () =>
        ({ editor, dispatch }) => {
          const address = linkAt(editor);
          if (address === null) return false;
          if (dispatch) open(address);
          return true;
        },
    }),
    addKeyboardShortcuts: () => ({
      // without a selection the key is for the palette
      "Mod-k": ({ editor }) => (!editor.state.selection.empty || editor.isActive("link")) && editor.commands.editLink(),
      "Alt-Enter": ({ editor }) => editor.commands.openLink(),
    }),
    addProseMirrorPlugins: () => [
      new Plugin({ props: { handleClick: ({ editable }, _, event) => editable && openClicked(event) } }),
    ],
  });
}

/** Returns the address of the link that the cursor is in; null where there is none that may be opened. */
export function linkAt(editor: Editor): string | null {
  const { href } = editor.getAttributes("link");
  return mayLead(href) ? href : null;
}

/** Opens a link at a click with Ctrl or ⌘: in text that can be written, a click alone puts the cursor. */
function openClicked({ target, button, ctrlKey, metaKey }: MouseEvent): boolean {
  if (button !== 0 || !(ctrlKey || metaKey) || !(target instanceof Element)) return false;
  const address = target.closest("a")?.getAttribute("href");
  if (!mayLead(address)) return false;
  open(address);
  return true;
}

function open(address: string) {
  const link = document.createElement("a");
  Object.assign(link, OUTWARD, { href: address });
  link.click();
}
