import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { CircleUser, PanelLeft, Search } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { boot } from "../boot";
import { Sidebar } from "../drive/Sidebar";
import { Menu, MenuItem, MenuLink, MenuNote } from "./menu";
import style from "./Shell.module.css";
import { Toasts } from "./toasts";

/** The frame of every screen: search and account above, drives beside. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);

  useEffect(() => {
    setOpen(false);
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);

  return (
    <Toasts>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header id="top" className={style.top}>
        <button
          type="button"
          className={style.fold}
          aria-expanded={isOpen}
          aria-controls="sidebar"
          onClick={() => setOpen(!isOpen)}
        >
          <PanelLeft aria-hidden size={18} />
          <span className="unseen">Drives</span>
        </button>
        <Link to="/" className={style.mark}>
          Codrive
        </Link>
        <SearchForm />
        <Account />
      </header>
      <div className={style.body}>
        <nav id="sidebar" className={style.beside} aria-label="Drives" data-open={isOpen}>
          <Sidebar />
        </nav>
        <main id="main" ref={main} tabIndex={-1} className={style.main}>
          <Outlet />
        </main>
      </div>
    </Toasts>
  );
}

function SearchForm() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    function key(event: KeyboardEvent) {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    }
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = field.current?.value.trim();
    if (text) navigate({ to: "/search", search: { q: text } });
  }

  return (
    <search className={style.search}>
      <form onSubmit={submit} action="/search">
        <Search aria-hidden size={16} className={style.lens} />
        <input ref={field} type="search" name="q" aria-label="Search" placeholder="Search" aria-keyshortcuts="/" />
      </form>
    </search>
  );
}

/** Whether keys that are pressed there write text. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}

function Account() {
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <Menu
        within="top"
        trigger={
          <button type="button" className={style.account}>
            <CircleUser aria-hidden size={18} />
            <span className={style.name}>{boot.viewer.name}</span>
          </button>
        }
      >
        <MenuNote>
          {boot.viewer.name}
          <br />
          {boot.viewer.email}
        </MenuNote>
        <MenuLink href="/settings/profile">Settings</MenuLink>
        <MenuLink href="/settings/agents">Connect an agent</MenuLink>
        <MenuItem onClick={() => form.current?.submit()}>Sign out</MenuItem>
      </Menu>
      <form ref={form} method="post" action="/sign-out" hidden>
        <input type="hidden" name="csrf" value={boot.csrf} />
      </form>
    </>
  );
}
