import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { Buttons, Close, Dialog } from "./Dialog";

/** The words where a part of the application cannot be loaded, most often since another version of it is served now. */
export const NOT_LOADED =
  "This part of Codrive cannot be loaded: it may have been upgraded since you opened this page.";

const NOT_LOADED_ERROR = "NotLoadedError";

/** Name the errors of parts of the application that cannot be loaded; returns what ends that. */
export function nameLoadErrors(): () => void {
  const name = ({ payload }: WindowEventMap["vite:preloadError"]) => {
    payload.name = NOT_LOADED_ERROR;
  };
  addEventListener("vite:preloadError", name);
  return () => removeEventListener("vite:preloadError", name);
}

export function isNotLoaded(error: unknown): boolean {
  return error instanceof Error && error.name === NOT_LOADED_ERROR;
}

/** Return a dialog that is loaded when it is first shown; where it cannot be, one that says so. */
export function lazyDialog<Props extends { close: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: NotLoaded }),
    ),
  );
}

function NotLoaded({ close }: { close: () => void }) {
  return (
    <Dialog title="Reload this page" close={() => close()}>
      <p>{NOT_LOADED}</p>
      <Buttons>
        <Close>Cancel</Close>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Buttons>
    </Dialog>
  );
}
