import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { t } from "../messages/messages";
import { IconButton } from "../ui/IconButton";
import style from "./Panel.module.css";
import { isHistory, PANELS, type PanelName } from "./panels";

type Props = {
  documentId: string;
  shown: PanelName;
  hasHistory: boolean;
  close: () => void;
  children: ReactNode;
};

/** One thing at a time about a document: beside its text, in a narrow window over it, on a phone a sheet from below. */
export function Panel({ documentId, shown, hasHistory, close, children }: Props) {
  function leave(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  }

  const names = PANELS.filter((name) => hasHistory || !isHistory(name));
  return (
    <section id="panel" className={style.panel} aria-label={t.document.panels[shown]} onKeyDown={leave}>
      <div className={style.top}>
        <nav aria-label={t.document.panel}>
          <ul className={style.tabs}>
            {names.map((name) => (
              <li key={name}>
                <Link
                  to="/doc/$documentId"
                  params={{ documentId }}
                  search={{ panel: name }}
                  activeOptions={{ exact: false }}
                  {...(name === shown && { "aria-current": "page" as const })}
                >
                  {t.document.panels[name]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <IconButton label={t.document.closePanel} Icon={X} isSmall onClick={close} />
      </div>
      <div className={style.content}>{children}</div>
    </section>
  );
}
