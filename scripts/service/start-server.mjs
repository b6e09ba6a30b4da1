import { boot } from "./boot.mjs";
import { describe } from "../launch/describe.mjs";
import { endingSignals, exitCodeOf, stoppedEarly } from "../launch/run.mjs";
import { serverLog } from "./server-log.mjs";

/**
 * `npm start` from beginning to end. SIGINT, SIGTERM and SIGHUP let the server finish what is in flight, then stop the
 * database; during the steps before, they undo what was done so far.
 */
export async function start(step, { dev, demo }) {
  const stopping = new AbortController();
  let endedBy;
  for (const signal of endingSignals)
    process.on(signal, () => {
      endedBy ??= signal;
      stopping.abort();
    });
  const undo = [];
  try {
    const { notes, link, database, host } = await boot(step, { dev, demo, signal: stopping.signal, undo });
    const log = serverLog();
    const fail = (error) => {
      log.fatal(describe(error));
      void endWith(1, undo);
    };
    process.on("uncaughtException", fail);
    if (database.supervise) undo.push(database.supervise({ tell: (text) => log.warn(text), giveUp: fail }));
    process.stdout.write(welcome(notes, link, host));
  } catch (error) {
    process.stderr.write(`\n${endedBy ? stoppedEarly(endedBy) : describe(error)}\n`);
    return endWith(endedBy ? exitCodeOf(endedBy) : 1, undo);
  }
  await new Promise((resolve) => {
    if (stopping.signal.aborted) resolve();
    else stopping.signal.addEventListener("abort", resolve);
  });
  await endWith(0, undo);
}

/** More than everything takes that is undone. */
const endMs = 120_000;

/** Undoes the last first, all of it even where something fails. */
async function endWith(code, undo) {
  setTimeout(() => process.exit(1), endMs).unref();
  for (let stop = undo.pop(); stop; stop = undo.pop()) {
    try {
      await stop();
    } catch (error) {
      process.stderr.write(`${describe(error)}\n`);
      code = 1;
    }
  }
  process.exit(code);
}

function welcome(notes, link, host) {
  const parts = [`Bonafide runs at ${process.env.PUBLIC_URL}`];
  if (host === "127.0.0.1")
    parts.push(
      "Only this machine reaches it. For others: set PUBLIC_URL to the https address of a reverse proxy, or HOST=0.0.0.0.",
    );
  if (notes.trim()) parts.push(notes.trim());
  if (link) parts.push(`Make the first organisation and its owner (this link works once):\n  ${link}`);
  parts.push("Ctrl-C stops it.");
  return `\n${parts.join("\n\n")}\n\n`;
}
