import { Menu as Base } from "@base-ui/react/menu";
import { ChevronRight, EllipsisVertical } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "./IconButton";
import style from "./menu.module.css";

type Props = {
  trigger: ReactElement;
  children: ReactNode;
  /** The landmark that the menu belongs to: its id. */
  within: string;
  /** Gets the keyboard when the menu is closed; otherwise its button does. */
  after?: () => HTMLElement | true | null;
  /** Where the pointer was pressed for it; without it, or while it holds null, the menu is at its button. */
  at?: RefObject<Point | null>;
};

/** A place in the window, in pixels. */
export type Point = { x: number; y: number };

/** A button that opens a menu. */
export function Menu({ trigger, children, within, after, at }: Props) {
  const [point, setPoint] = useState<Point | null>(null);
  const anchor = useMemo(
    () => (point ? { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) } : undefined),
    [point],
  );
  return (
    <Base.Root onOpenChange={(isOpen) => isOpen && setPoint(at?.current ?? null)}>
      <Base.Trigger render={trigger} />
      <Popup within={within} after={after} anchor={anchor} sideOffset={point ? 0 : 4} align={point ? "start" : "end"}>
        {children}
      </Popup>
    </Base.Root>
  );
}

type ShownProps = Pick<Props, "children" | "within" | "after"> & {
  isOpen: boolean;
  close: () => void;
  /** What the menu stands beside. */
  anchor: () => DOMRect;
  /** Whether it comes from below, over the width of the window, with all that it opens. */
  isSheet?: boolean;
};

/** A menu that something else than a button of its own opens. */
export function ShownMenu({ isOpen, close, anchor, isSheet = false, children, ...rest }: ShownProps) {
  const place = useMemo(() => ({ getBoundingClientRect: anchor }), [anchor]);
  return (
    <SheetContext value={isSheet}>
      <Base.Root open={isOpen} onOpenChange={(opens) => !opens && close()}>
        <Popup anchor={place} sideOffset={4} align="start" {...rest}>
          <AtFirst>{children}</AtFirst>
        </Popup>
      </Base.Root>
    </SheetContext>
  );
}

const SheetContext = createContext(false);

/** The lower edge of what is seen of the window, which an on-screen keyboard makes smaller. */
const LOWER_EDGE = {
  getBoundingClientRect: () => {
    const { offsetTop = 0, height = innerHeight } = visualViewport ?? {};
    return new DOMRect(0, offsetTop + height, innerWidth, 0);
  },
};

const AT_LOWER_EDGE = { anchor: LOWER_EDGE, side: "top", sideOffset: 0, collisionPadding: 0 } as const;

/** Gives the first item the keyboard, as a key does that opens a menu at its button. */
function AtFirst({ children }: { children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true }),
    [],
  );

  // an item that was focused before the menu knew its items does not count as gone to: an arrow would go to it once more
  function tell({ target }: KeyboardEvent) {
    if (target instanceof Element && target.matches("[role=menuitem]:not([data-highlighted])"))
      target.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
  }

  return (
    <div ref={list} className={style.items} onKeyDownCapture={tell}>
      {children}
    </div>
  );
}

/** An item that opens a menu beside it. */
export function Submenu({ label, within, children }: { label: ReactNode; within: string; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={style.item}>
        {label}
        <ChevronRight aria-hidden size={16} className={style.more} />
      </Base.SubmenuTrigger>
      <Popup within={within} align="start" alignOffset={-5}>
        {children}
      </Popup>
    </Base.SubmenuRoot>
  );
}

type PopupProps = Pick<Props, "children" | "within" | "after"> & ComponentProps<typeof Base.Positioner>;

function Popup({ children, within, after, ...place }: PopupProps) {
  const isSheet = useContext(SheetContext);
  // looked up when the menu opens: the landmark may be drawn after what opens it
  const container = useMemo(
    () => ({
      get current() {
        return document.getElementById(within);
      },
    }),
    [within],
  );
  return (
    <Base.Portal container={container}>
      <Base.Positioner className={style.positioner} positionMethod="fixed" {...place} {...(isSheet && AT_LOWER_EDGE)}>
        <Base.Popup className={isSheet ? `${style.popup} ${style.sheet}` : style.popup} finalFocus={after}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

type MoreProps = Omit<Props, "trigger"> & {
  /** What the menu is about, such as “Actions for the drive”. */
  label: string;
};

/** A menu behind the sign of three dots. */
export function MoreMenu({ label, ...rest }: MoreProps) {
  return <Menu trigger={<IconButton label={label} Icon={EllipsisVertical} />} {...rest} />;
}

/**
 * The same in a row of a grid, which has the keyboard itself. Until it is asked for there is a button alone: a list that is
 * scrolled draws many rows in a frame.
 */
export function RowMenu({ label, ...rest }: MoreProps) {
  const [isAsked, setAsked] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isAsked) trigger.current?.click();
  }, [isAsked]);
  const button = { label, Icon: EllipsisVertical, isSmall: true, tabIndex: -1, "data-menu": "" };
  if (isAsked) return <Menu trigger={<IconButton {...button} ref={trigger} />} {...rest} />;
  return <IconButton {...button} aria-haspopup="menu" aria-expanded={false} onClick={() => setAsked(true)} />;
}

export function MenuItem(props: ComponentProps<typeof Base.Item>) {
  return <Base.Item className={style.item} {...props} />;
}

export function MenuLink(props: ComponentProps<typeof Base.LinkItem>) {
  return <Base.LinkItem className={style.item} {...props} />;
}

/** The keys that do the same as an item, at its end. */
export function MenuKeys({ children }: { children: ReactNode }) {
  return (
    <kbd aria-hidden className={style.keys}>
      {children}
    </kbd>
  );
}

/** Says what the menu is about. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className={style.note}>{children}</div>;
}
