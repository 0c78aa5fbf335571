import { Menu as Base } from "@base-ui/react/menu";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import style from "./menu.module.css";

/** A button that opens a menu. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={style.positioner} sideOffset={4} align="end">
          <Base.Popup className={style.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem(props: ComponentProps<typeof Base.Item>) {
  return <Base.Item className={style.item} {...props} />;
}

export function MenuLink(props: ComponentProps<typeof Base.LinkItem>) {
  return <Base.LinkItem className={style.item} {...props} />;
}

/** Says what the menu is about. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className={style.note}>{children}</div>;
}
