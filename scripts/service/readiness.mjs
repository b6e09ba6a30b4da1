import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../launch/failure.mjs";

/** Waits until /readyz of the server says that it is ready. */
export async function untilReady(host, port, signal, patience = 120) {
  const everywhere = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const url = `http://${everywhere[host] ?? (host.includes(":") ? `[${host}]` : host)}:${port}/readyz`;
  for (;;) {
    signal.throwIfAborted();
    const response = await fetch(url, { signal });
    if (response.ok) return;
    const { checks } = await response.json();
    const lacking = Object.entries(checks).filter(([, { ok }]) => !ok);
    if (patience-- === 0)
      throw new Failure("The server does not get ready.", "see the log above for the cause.", {
        detail: lacking.map(([name, { detail }]) => `${name}: ${detail}`).join("\n"),
      });
    await wait(250);
  }
}
