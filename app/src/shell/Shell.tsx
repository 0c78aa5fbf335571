import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { PanelLeft, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import {
  type ComponentProps,
  type CSSProperties,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { DragProvider } from "../drive/drag";
import { NewDriveDialog } from "../drive/NewDrive";
import { useSession, useViewer } from "../graphql/session";
import { VisitProvider } from "../home/visit";
import { t } from "../messages/messages";
import { searchOf } from "../search/address";
import { CommandsProvider } from "../ui/commands";
import { IconButton } from "../ui/IconButton";
import { KEYS } from "../ui/key_table";
import { KeysProvider } from "../ui/keys";
import { lazyDialog } from "../ui/lazy_dialog";
import { Menu, MenuItem, MenuLink, MenuNote } from "../ui/menu";
import { colourClassOf, initialsOf } from "../ui/people";
import { Toasts } from "../ui/toasts";
import style from "./Shell.module.css";
import { Sidebar } from "./Sidebar";
import { SidebarEdge } from "./SidebarEdge";
import { useSidebar } from "./useSidebar";

const Palette = lazyDialog(() => import("../commands/Palette").then(({ Palette }) => Palette));
const LanguageDialog = lazyDialog(() =>
  import("../commands/LanguageDialog").then(({ LanguageDialog }) => LanguageDialog),
);
const KeysDialog = lazyDialog(() => import("../commands/KeysDialog").then(({ KeysDialog }) => KeysDialog));

/** The frame of every screen: beside it a sidebar, in a narrow window a drawer, with the account, search and drives. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isOpen, setOpen] = useState(false);
  const { isNarrow, isFolded, isDrawer, fold: foldAway, width, widen } = useSidebar();
  const main = useRef<HTMLElement>(null);
  const fold = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(path);
  const [over, setOver] = useState<"palette" | "keys" | "language" | "drive" | null>(null);
  const chosen = useRef<(() => void) | null>(null);
  const navigate = useNavigate();
  const viewer = useViewer();

  function goToSearch() {
    if (field.current?.checkVisibility() === false) flushSync(() => setOpen(true));
    field.current?.focus();
  }

  const bound = {
    search: goToSearch,
    palette: () => setOver("palette"),
    keys: () => setOver("keys"),
    home: () => void navigate({ to: "/" }),
    shared: () => void navigate({ to: "/shared" }),
    recent: () => void navigate({ to: "/recent" }),
    starred: () => void navigate({ to: "/starred" }),
    trash: () => void navigate({ to: "/trash" }),
    agents: () => void navigate({ to: "/agents" }),
  };

  // what was chosen may open a dialog, which gets the keyboard when the palette is gone
  useEffect(() => {
    if (over) return;
    chosen.current?.();
    chosen.current = null;
  }, [over]);

  useEffect(() => {
    setOpen(false);
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);

  useEffect(() => {
    if (isOpen) drawer.current?.querySelector<HTMLElement>("a, button")?.focus();
  }, [isOpen]);

  function turn() {
    flushSync(() => {
      setOpen(false);
      foldAway(!isFolded);
    });
    if (!isFolded) fold.current?.focus(); // the sidebar goes, and what had the keyboard in it
  }

  function leaveDrawer({ key, target }: KeyboardEvent) {
    const isOwn = drawer.current?.contains(target as Node) && !(target as Element).closest("[role=menu]");
    if (!isOpen || key !== "Escape" || !isOwn) return;
    setOpen(false);
    fold.current?.focus();
  }

  return (
    <Providers bound={bound}>
      <a className="skip" href="#main">
        {t.shell.skip}
      </a>
      <header className={style.top} data-drawer={isDrawer} data-over={path.startsWith("/doc/")}>
        <button
          ref={fold}
          type="button"
          className={style.fold}
          aria-expanded={isOpen}
          aria-controls="sidebar"
          onClick={() => setOpen(!isOpen)}
        >
          <PanelLeft aria-hidden size={18} />
          <span className="unseen">{t.shell.drives}</span>
        </button>
        <Link to="/" className={style.mark}>
          Codrive
        </Link>
        <button type="button" className={style.fold} aria-label={t.shell.search} onClick={goToSearch}>
          <Search aria-hidden size={18} />
        </button>
      </header>
      <div className={style.body} data-drawer={isDrawer} style={{ "--wanted": `${width}px` } as CSSProperties}>
        <nav
          ref={drawer}
          id="sidebar"
          className={style.beside}
          aria-label={t.shell.drives}
          data-open={isOpen}
          onKeyDown={leaveDrawer}
        >
          <div className={style.own}>
            <Link to="/" className={style.mark}>
              {viewer.activeOrganization?.name ?? "Codrive"}
            </Link>
            {!isNarrow && (
              <IconButton
                label={isFolded ? t.shell.unfoldSidebar : t.shell.foldSidebar}
                Icon={isFolded ? PanelLeftOpen : PanelLeftClose}
                isSmall
                onClick={turn}
              />
            )}
            <Account show={setOver} />
          </div>
          <SearchForm field={field} />
          <Sidebar />
          {!isDrawer && <SidebarEdge width={width} widen={widen} />}
        </nav>
        <main id="main" ref={main} tabIndex={-1} className={style.main} onPointerDown={() => setOpen(false)}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {over === "palette" && (
          <Palette
            close={(run) => {
              chosen.current = run ?? null;
              setOver(null);
            }}
            showKeys={() => setOver("keys")}
            showLanguage={() => setOver("language")}
            newDrive={() => setOver("drive")}
          />
        )}
        {over === "keys" && <KeysDialog close={() => setOver(null)} />}
        {over === "language" && <LanguageDialog close={() => setOver(null)} />}
        {over === "drive" && <NewDriveDialog close={() => setOver(null)} />}
      </Suspense>
    </Providers>
  );
}

/** What every screen has around it, each for one purpose. */
function Providers({ bound, children }: ComponentProps<typeof KeysProvider>) {
  return (
    <Toasts>
      <VisitProvider>
        <DragProvider>
          <CommandsProvider>
            <KeysProvider bound={bound}>{children}</KeysProvider>
          </CommandsProvider>
        </DragProvider>
      </VisitProvider>
    </Toasts>
  );
}

function SearchForm({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();

  // what is searched now; other words are searched with the same filters
  const shown = useRouterState({
    select: ({ location: { pathname, search } }) => (pathname === "/search" ? search : undefined),
  });

  useEffect(() => {
    if (field.current) field.current.value = shown?.q ?? "";
  }, [field, shown?.q]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (text || shown) navigate({ to: "/search", search: searchOf({ ...shown, q: text }) });
  }

  return (
    <search className={style.search}>
      <form onSubmit={submit} action="/search">
        <Search aria-hidden size={16} className={style.lens} />
        <input
          ref={field}
          type="search"
          name="q"
          aria-label={t.shell.search}
          placeholder={t.shell.search}
          aria-keyshortcuts={KEYS.search.press}
        />
      </form>
    </search>
  );
}

function Account({ show }: { show: (over: "palette" | "keys" | "language") => void }) {
  const form = useRef<HTMLFormElement>(null);
  const { viewer, csrf } = useSession();
  return (
    <>
      <Menu
        within="sidebar"
        trigger={
          <button type="button" className={`${style.account} ${colourClassOf(viewer)}`} title={viewer.name}>
            <span className="unseen">{viewer.name}</span>
            <span aria-hidden>{initialsOf(viewer.name)}</span>
          </button>
        }
      >
        <MenuNote>
          {viewer.name}
          <br />
          {viewer.email}
        </MenuNote>
        <MenuLink href="/settings/profile">{t.shell.settings}</MenuLink>
        <MenuItem onClick={() => show("palette")}>{t.shell.openPalette}</MenuItem>
        <MenuItem onClick={() => show("keys")}>{t.shell.shortcuts}</MenuItem>
        <MenuItem onClick={() => show("language")}>{t.shell.openLanguage}</MenuItem>
        <MenuLink href="/settings/agents">{t.shell.connectAgent}</MenuLink>
        <MenuItem onClick={() => form.current?.submit()}>{t.shell.signOut}</MenuItem>
      </Menu>
      <form ref={form} method="post" action="/sign-out" hidden>
        <input type="hidden" name="csrf" value={csrf} />
      </form>
    </>
  );
}
