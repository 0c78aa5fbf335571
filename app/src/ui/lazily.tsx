import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { Buttons, Close, Dialog } from "./Dialog";

/** The words where a part of the application cannot be loaded, most often since another version of it is served now. */
export const NOT_LOADED =
  "This part of Codrive cannot be loaded: it may have been upgraded since you opened this page.";

/** Return a dialog that is loaded when it is first shown; where it cannot be, one that says so. */
export function lazily<Props extends { close: () => void }>(
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
