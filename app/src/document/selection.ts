/** Where the person is, when a key is pressed. */

import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";

/**
 * Lets ProseMirror read the browser's selection before each key. The browser tells of it some time after a click or an arrow; until
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
        },
      },
    }),
  ],
});
