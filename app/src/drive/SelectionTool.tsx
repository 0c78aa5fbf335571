import type { LucideIcon } from "lucide-react";
import style from "./ItemGrid.module.css";

type Props = { name: string; Icon: LucideIcon; isOff?: boolean; onClick: () => void };

/** A button of the bar over selected items: in a narrow window its icon alone. */
export function SelectionTool({ name, Icon, isOff, onClick }: Props) {
  return (
    <button
      type="button"
      className={`quiet ${style.tool}`}
      title={name}
      aria-label={name}
      aria-disabled={isOff}
      onClick={onClick}
    >
      <Icon aria-hidden size={16} />
      <span className={style.words}>{name}</span>
    </button>
  );
}
