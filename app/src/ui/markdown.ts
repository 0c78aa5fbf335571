/** Copies what a screen shows as Markdown. */

import { createContext, useContext } from "react";
import { failure } from "../graphql/ask";
import { t } from "../messages/messages";
import { sentence } from "./states";
import { useToast } from "./toasts";

export type MarkdownSource = {
  /** Whether a part of the text is selected, of which the Markdown is then. */
  hasSelection: () => boolean;
  read: () => Promise<string>;
};

/** What gives the Markdown of the text that is shown; null where there is none. */
export const MarkdownContext = createContext<MarkdownSource | null>(null);

/** Return what copies the Markdown of the text that is shown; null where there is none. */
export function useCopyMarkdown(): (() => void) | null {
  const source = useContext(MarkdownContext);
  const { notify, warn } = useToast();
  if (!source) return null;
  return () => {
    const done = source.hasSelection() ? t.document.selectionCopied : t.document.documentCopied;
    const text = source.read();
    write(text).then(
      () => notify(done),
      () =>
        text.then(
          () => warn(t.document.notCopied),
          (thrown: unknown) => warn(sentence(failure(thrown).message)),
        ),
    );
  };
}

/** Browsers give the clipboard to pages of https alone, and some only before anything was waited for. */
async function write(text: Promise<string>) {
  const blob = text.then((written) => new Blob([written], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
