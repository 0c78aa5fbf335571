/** The key that ticks the task that the cursor is in. */

import { Extension } from "@tiptap/core";

export const TickTask = Extension.create({
  name: "tickTask",
  priority: 1_000, // the same key leaves code, and breaks the line elsewhere
  addKeyboardShortcuts: () => ({
    "Mod-Enter": ({ editor }) =>
      editor.isActive("taskItem") &&
      !editor.isActive("codeBlock") &&
      editor.commands.updateAttributes("taskItem", { checked: !editor.getAttributes("taskItem").checked }),
  }),
});
