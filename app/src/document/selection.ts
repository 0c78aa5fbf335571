/** Where the person is, when a key is pressed. */

import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";

/**
 * Keeps the keyboard in the text, and lets ProseMirror read the browser's selection before each key. The browser tells of it some time after a click or an arrow; until
 * then a key would act where the cursor was before.
 */
export const ReadSelection = Extension.create({
  name: "readSelection",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          keydown: ({ dom }) => {
            dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
            return false;
          },
          // a click into a table is for its text, and not for the box in which the keyboard scrolls it
          focusin: ({ dom, editable }, { target }) => {
            const isBox = target instanceof HTMLElement && target.classList.contains("tableWrapper");
            if (editable && isBox && !target.matches(":focus-visible")) dom.focus({ preventScroll: true });
            return false;
          },
        },
      },
    }),
  ],
});
