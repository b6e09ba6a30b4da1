import { boot } from "./boot.mjs";
import { describe } from "../launch/describe.mjs";
import { endingSignals, exitCodeOf, stoppedEarly } from "../launch/run.mjs";
import { serverLog } from "./server-log.mjs";

/**
 * Runs `npm start` from beginning to end. On SIGINT, SIGTERM and SIGHUP the server finishes the requests in progress,
 * then the database stops. During the earlier steps a signal undoes the completed steps.
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

/** More than the time that undoing all steps takes. */
const endMs = 120_000;

/** Undoes the steps in reverse order, all of them even if one fails. */
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
