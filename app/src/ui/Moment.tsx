import { useEffect, useState } from "react";
import { ago, exact, MINUTE } from "./moments";

/** When something happened: how long ago within a week, with the exact moment beside the pointer; `isExact` shows that itself. */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const now = useNow();
  const time = new Date(at);
  return (
    <time dateTime={at} title={isExact ? undefined : exact(time)}>
      {isExact ? exact(time) : ago(time, now)}
    </time>
  );
}

/** Return the present moment, which is another each minute. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const ticking = setInterval(() => setNow(new Date()), MINUTE);
    return () => clearInterval(ticking);
  }, []);
  return now;
}
