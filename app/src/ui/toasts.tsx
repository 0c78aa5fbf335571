import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../messages/messages";
import style from "./toasts.module.css";

const SHOWN = 10_000; // milliseconds
const WARNING = "warning";

/** Tells what was done, with Undo where it can be taken back, in a region that screen readers hear. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={style.viewport} aria-label={t.ui.notifications}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={style.toast} data-weight={toast.type}>
      <Toast.Content className={style.content}>
        <Toast.Title render={<p role={toast.type === WARNING ? "alert" : undefined} />} className={style.title} />
        {toast.actionProps && <Toast.Action className={style.action} />}
        <Toast.Close className={style.close} aria-label={t.ui.close}>
          <X aria-hidden size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** `act` is what the toast offers: to undo it, unless it has another `name`. */
export type Notify = (title: string, act?: () => void, name?: string) => void;

/** Return what shows a toast. */
export function useToast(): { notify: Notify; warn: (title: string) => void } {
  const { add, close } = Toast.useToastManager();
  return {
    notify: (title, act, name = t.ui.undo) => {
      const id: string = add({
        title,
        ...(act && {
          actionProps: {
            children: name,
            onClick: () => {
              close(id);
              act();
            },
          },
        }),
      });
    },
    warn: (title) => {
      // of high priority it would be hidden from screen readers while its buttons can have the keyboard
      add({ title, type: WARNING });
    },
  };
}
