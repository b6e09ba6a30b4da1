const elapsed = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Reports steps with their duration, one line each. `step(title, work)` runs `work({ doing, done })` and returns its
 * result. `doing(text)` says what happens now, `done(text, { failed })` sets the closing line. A terminal shows a live
 * line; elsewhere a long step is reported now and then. Neither happens if the work `writes` lines itself.
 *
 * @param {NodeJS.WriteStream} out
 */
export function progressOn(out) {
  return async function step(title, work, { writes = false } = {}) {
    const started = performance.now();
    const alive = out.isTTY && !writes;
    let text = "";
    const line = (now) => `  ${now} ${title.padEnd(16)} ${text}`.trimEnd();
    const draw = () => out.write(`\r\x1b[2K${line("…")}  ${elapsed(started)}`);
    const doing = (now) => {
      text = now;
      if (alive) draw();
      else out.write(`${line("…")}\n`);
    };
    let mark = "✓";
    const done = (now, { failed = false } = {}) => {
      text = now;
      if (failed) mark = "✗";
    };
    const close = () => out.write(`${alive ? "\r\x1b[2K" : ""}${line(mark)}  ${elapsed(started)}\n`);
    const ticking = writes
      ? undefined
      : alive
        ? setInterval(draw, 250)
        : setInterval(() => out.write(`${line("…")}  ${elapsed(started)}\n`), 15_000);
    try {
      return await work({ doing, done });
    } catch (error) {
      mark = "✗";
      throw error;
    } finally {
      clearInterval(ticking);
      close();
    }
  };
}
