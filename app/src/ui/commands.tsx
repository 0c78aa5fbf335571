import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Something that a screen does, as the palette offers it. */
export type Command = { name: string; run: () => void };

type Offered = Set<{ current: readonly Command[] }>;

const Context = createContext<Offered | null>(null);

/** Holds what the screens in it offer. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [offered] = useState<Offered>(() => new Set());
  return <Context value={offered}>{children}</Context>;
}

/** Have the palette offer what a screen does, while it is shown. */
export function useCommands(commands: readonly Command[]) {
  const offered = useContext(Context);
  const present = useRef(commands);
  useLayoutEffect(() => {
    present.current = commands;
  });
  useEffect(() => {
    offered?.add(present);
    return () => {
      offered?.delete(present);
    };
  }, [offered]);
}

/** Return what lists the commands of what is shown. */
export function useOffered(): () => readonly Command[] {
  const offered = useContext(Context);
  return () => [...(offered ?? [])].flatMap(({ current }) => current);
}
