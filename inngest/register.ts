import { serve } from "inngest/edge";
import { log } from "@/server/core/log";
import { inngest } from "./client";
import { functions } from "./functions";

export interface Registration {
  /** Whether the server answered the last registration in time and accepted it. */
  readonly done: boolean;
  stop(): void;
}

/**
 * Registers the functions at `url` with the Inngest server every `everyMs`, because a server that was moved or
 * restarted without its store has forgotten them. A registration that fails is retried after `retryMs`.
 */
export function keepRegistered(url: string, { everyMs = 60_000, retryMs = 10_000 } = {}): Registration {
  // This handler accepts an unsigned sync and is reachable only from here. The one that the route serves requires
  // signatures.
  const handler = serve({ client: inngest, functions, enableUnauthedSync: true });
  const state = { done: false, stopped: false, timer: undefined as NodeJS.Timeout | undefined };
  const attempt = async (): Promise<void> => {
    const late = setTimeout(() => (state.done = false), retryMs).unref();
    const problem = await register(handler, url).catch(String);
    clearTimeout(late);
    if (problem !== null) log().warn({ url, problem }, "the Inngest server did not take the functions");
    else if (!state.done) log().info({ url }, "registered with the Inngest server");
    state.done = problem === null;
    if (!state.stopped) state.timer = setTimeout(() => void attempt(), state.done ? everyMs : retryMs).unref();
  };
  void attempt();
  return {
    get done() {
      return state.done;
    },
    stop() {
      state.stopped = true;
      clearTimeout(state.timer);
    },
  };
}

/** Registers once. Returns the server's answer if it refused; null if it accepted. */
async function register(handler: (request: Request) => Promise<Response>, url: string): Promise<string | null> {
  const { host } = new URL(url);
  const response = await handler(new Request(url, { method: "PUT", headers: { host } }));
  return response.ok ? null : `${response.status} ${await response.text()}`;
}
