import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import style from "./IconButton.module.css";

type Props = Omit<ComponentProps<"button">, "children" | "className" | "aria-label"> & {
  /** Its name, for screen readers and, unless `title` says more, beside the pointer. */
  label: string;
  Icon: LucideIcon;
  isSmall?: boolean;
};

/** The class of what looks like an `IconButton` and is a link. */
export const iconClass = style.icon;

/** A button that shows an icon alone. */
export function IconButton({ label, Icon, isSmall = false, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={isSmall ? `${style.icon} ${style.small}` : style.icon}
    >
      <Icon aria-hidden size={isSmall ? 16 : 18} />
    </button>
  );
}
