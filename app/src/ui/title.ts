import { useEffect } from "react";

/** Name the window after what it shows. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title ? `${title} – Codrive` : "Codrive";
  }, [title]);
}
