/** The wait before failed work is retried. */
const againMs = 1000;

/**
 * Coalesces calls of `work`. The first call runs it at once. While it failed, or was called again during the run, it
 * runs again after a gap. So each call is followed by a run that began after it, and thousands of calls cost one run.
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
