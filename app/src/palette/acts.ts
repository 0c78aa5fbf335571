import { useEffect, useRef } from "react";

/** Something that a screen does, as the palette offers it. */
export type Act = { name: string; run: () => void };

const offered = new Set<{ current: readonly Act[] }>();

/** Have the palette offer what a screen does, while it is shown. */
export function useOffer(acts: readonly Act[]) {
  const present = useRef(acts);
  present.current = acts;
  useEffect(() => {
    offered.add(present);
    return () => {
      offered.delete(present);
    };
  }, []);
}

export function actsOfScreen(): readonly Act[] {
  return [...offered].flatMap(({ current }) => current);
}
