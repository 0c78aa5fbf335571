/** The command palette: finds items, goes to places, and does what the present screen does. */

import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useOpen } from "../drive/actions";
import { ask } from "../graphql/ask";
import { FoundItems, type FoundItemsData } from "../graphql/generated";
import { t } from "../messages/messages";
import { type Command, useOffered } from "../ui/commands";
import { focusAtOnce } from "../ui/Dialog";
import dialog from "../ui/dialog.module.css";
import style from "./palette.module.css";

const PAUSE = 120; // milliseconds without a letter after which the server is asked

type Item = FoundItemsData["search"]["nodes"][number];
type Option = Command & { id: string; beside?: string };
type Group = { title: string; options: Option[] };

const PLACES = [
  ["home", "/"],
  ["shared", "/shared"],
  ["recent", "/recent"],
  ["starred", "/starred"],
  ["trash", "/trash"],
  ["agents", "/agents"],
] as const;

type Props = {
  /** Closes the palette; what was chosen is done when it is gone. */
  close: (chosen?: () => void) => void;
  showKeys: () => void;
  showLanguage: () => void;
  newDrive: () => void;
};

export function Palette({ close, showKeys, showLanguage, newDrive }: Props) {
  const [text, setText] = useState("");
  const [active, setActive] = useState<string | null>(null);
  const { items, isAsking, isFailed } = useFound(text.trim());
  const [actions] = useState(useOffered());
  const isChosen = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const open = useOpen();
  const id = useId();

  const places: Command[] = [
    ...PLACES.map(([name, to]) => ({ name: t.shell[name], run: () => void navigate({ to }) })),
    { name: t.shell.settings, run: () => location.assign("/settings/profile") },
  ];
  const does: Command[] = [
    ...actions,
    { name: t.drives.new, run: newDrive },
    { name: t.shell.shortcuts, run: showKeys },
    { name: t.shell.language, run: showLanguage },
  ];
  const groups: Group[] = [
    { title: t.palette.actions, options: among(does, text, `${id}-do`) },
    { title: t.palette.places, options: among(places, text, `${id}-go`) },
    {
      title: t.palette.items,
      options: items.map((item) => ({
        id: `${id}-${item.id}`,
        name: item.name,
        beside: item.path?.map((step) => step.name).join(" / ") ?? "",
        run: () => open(item),
      })),
    },
  ].filter(({ options }) => options.length);
  if (text.trim()) {
    const run = () => void navigate({ to: "/search", search: { q: text.trim() } });
    groups.push({
      title: t.palette.search,
      options: [{ id: `${id}-all`, name: t.palette.searchFor(text.trim()), run }],
    });
  }
  const options = groups.flatMap((group) => group.options);
  const at = Math.max(
    0,
    options.findIndex((option) => option.id === active),
  );
  const current = options[at];

  useEffect(() => {
    if (current) document.getElementById(current.id)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  function choose({ run }: Command) {
    isChosen.current = true;
    close(run);
  }

  function key(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive(options[(at + step + options.length) % options.length]?.id ?? null);
    else if (event.key === "Enter" && current && !event.nativeEvent.isComposing) choose(current);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup
          className={`${dialog.popup} ${dialog.wide} ${style.popup}`}
          initialFocus={() => focusAtOnce(field)}
          finalFocus={() => !isChosen.current}
        >
          <Dialog.Title className="unseen">{t.shell.palette}</Dialog.Title>
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label={t.shell.palette}
            aria-autocomplete="list"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={current?.id}
            autoComplete="off"
            maxLength={1000}
            placeholder={t.shell.palette}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setActive(null);
            }}
            onKeyDown={key}
          />
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={t.palette.results}
            aria-busy={isAsking}
            className={style.list}
          >
            {groups.map(({ title, options }) => (
              <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
                <div id={`${id}-${title}`} className={style.title}>
                  {title}
                </div>
                {options.map((option) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
                  <div
                    key={option.id}
                    id={option.id}
                    role="option"
                    tabIndex={-1}
                    aria-selected={option === current}
                    className={style.option}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => choose(option)}
                  >
                    {option.name}
                    {option.beside && <span className={style.beside}> {option.beside}</span>}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <p role="status" className={isFailed ? style.failed : "unseen"}>
            {isFailed ? t.palette.failed : isAsking ? "" : t.palette.counted(options.length)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Return what is called by all words of a text, each of which may be only begun. */
function among(actions: readonly Command[], text: string, id: string): Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return actions
    .map((act, index) => ({ ...act, id: `${id}-${index}` }))
    .filter(({ name }) => {
      const named = name.toLowerCase().split(/\s+/);
      return words.every((word) => named.some((each) => each.startsWith(word)));
    });
}

type Found = { items: readonly Item[]; isAsking: boolean; isFailed: boolean };

/** The items with all words of a text in their names or contents, the best first. */
function useFound(text: string): Found {
  const { data, isFetching, isError } = useQuery({
    queryKey: ["found items", text],
    queryFn: async ({ signal }) => {
      await pause(signal);
      return (await ask(FoundItems, { text }, signal)).search.nodes;
    },
    enabled: text !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (!text) return { items: [], isAsking: false, isFailed: false };
  return { items: data ?? [], isAsking: isFetching, isFailed: isError };
}

/** Wait until the reader types no more; throws where they do. */
async function pause(signal: AbortSignal) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  signal.throwIfAborted();
}
