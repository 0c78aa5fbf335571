import { useEffect } from "react";
import { t } from "../messages/messages";

const PRODUCT = "Codrive";

/** Name the window after what it shows. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title ? t.ui.titled(title) : PRODUCT;
  }, [title]);
}
