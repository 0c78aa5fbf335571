/** A time in which the browser is idle; `hasTime` says whether it is still. */
export type Slice = { readonly hasTime: () => boolean };

const SLICE = 10; // milliseconds at once where the browser does not say when it is idle

/** Calls once the browser is idle, which Safari does not say; returns what takes that back. */
export function whenIdle(run: (slice: Slice) => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const id = requestIdleCallback((deadline) => run({ hasTime: () => deadline.timeRemaining() > 0 }));
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(() => {
    const end = performance.now() + SLICE;
    run({ hasTime: () => performance.now() < end });
  });
  return () => clearTimeout(id);
}
