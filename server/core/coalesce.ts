/** Before work that failed is tried again. */
const againMs = 1000;

/**
 * Calls `work` at once, then, for as long as it failed or there were further calls meanwhile, again after a gap: each
 * call is followed by work that began after it, and thousands of calls are as cheap as one.
 * @param work resolves with whether it succeeded
 */
export function coalesced(work: () => Promise<boolean>, gapMs: number): () => void {
  let busy = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = false;
    const done = await work();
    again ||= !done;
    const timer = setTimeout(
      () => {
        busy = false;
        if (again) start();
      },
      done ? gapMs : againMs,
    );
    if (!done) timer.unref();
  };
  const start = (): void => {
    busy = true;
    void run();
  };
  return () => {
    again = true;
    if (!busy) start();
  };
}
