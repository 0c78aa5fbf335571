import { ChartNoAxesColumn, FileText, Folder } from "lucide-react";
import type { DriveItemType } from "../graphql/generated";
import { t } from "../messages/messages";

const ICONS: Record<DriveItemType, typeof Folder> = {
  folder: Folder,
  docs_workbook: FileText,
  viz_workbook: ChartNoAxesColumn,
};

type Props = {
  type: DriveItemType;
  className?: string | undefined;
  size?: number;
  /** Beside what says what it is. */
  isHidden?: boolean;
};

/** The sign of what kind of item it is. */
export function ItemIcon({ type, className, size = 18, isHidden = false }: Props) {
  const Icon = ICONS[type];
  if (isHidden) return <Icon aria-hidden size={size} className={className} />;
  return <Icon size={size} className={className} role="img" aria-label={t.kinds[type]} />;
}
