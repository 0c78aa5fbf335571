import { ChevronDown, type LucideIcon, Plus } from "lucide-react";
import { t } from "../messages/messages";
import { KEYS } from "../ui/key_table";
import { Menu, MenuItem, MenuKeys } from "../ui/menu";

/** What makes something in the place that is shown. */
export type Maker = { name: string; Icon: LucideIcon; run: () => void; keyName?: "newDocument" | "newFolder" };

/** The one button of a place that makes something in it. */
export function NewMenu({ makers }: { makers: readonly Maker[] }) {
  return (
    <Menu
      within="main"
      trigger={
        <button type="button">
          <Plus aria-hidden size={16} /> {t.lists.new} <ChevronDown aria-hidden size={16} />
        </button>
      }
    >
      {makers.map(({ name, Icon, run, keyName }) => (
        <MenuItem key={name} aria-keyshortcuts={keyName && KEYS[keyName].press} onClick={run}>
          <Icon aria-hidden size={16} /> {name}
          {keyName && <MenuKeys>{t.keys[keyName].shown}</MenuKeys>}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The same, each with a button: an empty place offers them all, first what most people want. */
export function Offers({ makers }: { makers: readonly Maker[] }) {
  return makers.map(({ name, Icon, run, keyName }, index) => (
    <button
      key={name}
      type="button"
      className={index ? "quiet" : undefined}
      aria-keyshortcuts={keyName && KEYS[keyName].press}
      onClick={run}
    >
      <Icon aria-hidden size={16} /> {name}
    </button>
  ));
}
