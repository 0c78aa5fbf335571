import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog } from "./Dialog";

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
    <Dialog title={t.states.reloadPage} close={() => close()}>
      <p>{t.states.notLoaded}</p>
      <Buttons>
        <Close>{t.ui.cancel}</Close>
        <button type="button" onClick={() => location.reload()}>
          {t.ui.reload}
        </button>
      </Buttons>
    </Dialog>
  );
}
