import { Dialog as Base } from "@base-ui/react/dialog";
import { createContext, type ReactNode, type RefObject, useContext } from "react";
import style from "./dialog.module.css";

type Props = {
  title: string;
  children: ReactNode;
  close: () => void;
  isWide?: boolean;
  /** What has the keyboard at first; the first control if absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** What has the keyboard afterwards; what `AfterDialog` gives if absent. */
  finalFocus?: () => HTMLElement | true;
};

/** What has the keyboard after the dialogs within; the list of the screen, where nothing else is said. */
export const AfterDialog = createContext(listed);

/** Asks for something over the screen; Escape closes it. */
export function Dialog({ title, children, close, isWide = false, initialFocus, finalFocus }: Props) {
  const after = useContext(AfterDialog);
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <Base.Portal>
        <Base.Backdrop className={style.backdrop} />
        <Base.Popup
          className={`${style.popup} ${isWide ? style.wide : ""}`}
          initialFocus={initialFocus && (() => focusAtOnce(initialFocus))}
          finalFocus={finalFocus ?? after}
        >
          <Base.Title className={style.title} title={title}>
            {title}
          </Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Gives an element the keyboard before the next key comes; says that nothing is left to focus.
 * A dialog that is left to itself does so in the next frame, and what is typed until then acts on what lies behind it.
 */
export function focusAtOnce({ current }: RefObject<HTMLElement | null>): false {
  current?.focus();
  return false;
}

/** Closes the dialog that it is in. */
export function Close({ children }: { children: ReactNode }) {
  return <Base.Close className="quiet">{children}</Base.Close>;
}

/** What was refused, beside the field that it is about. */
export function Fault({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className={style.fault} role="alert">
      {children}
    </p>
  );
}

export function Buttons({ children }: { children: ReactNode }) {
  return <div className={style.buttons}>{children}</div>;
}

/** The list gets the keyboard back, whatever opened the dialog, which may be gone; without one, the screen. */
function listed(): HTMLElement | true {
  return document.querySelector<HTMLElement>("[role=grid]") ?? document.getElementById("main") ?? true;
}
