import type { LucideIcon } from "lucide-react";
import style from "./ItemGrid.module.css";

type Props = { name: string; Icon: LucideIcon; isOff?: boolean; isSign?: boolean; onClick: () => void };

/** A button of the bar over selected items: its icon alone in a narrow window, and where that is a sign that everybody knows. */
export function SelectionTool({ name, Icon, isOff, isSign, onClick }: Props) {
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
      {!isSign && <span className={style.words}>{name}</span>}
    </button>
  );
}
