import { serve } from "inngest/edge";
import { log } from "@/server/core/log";
import { inngest } from "./client";
import { functions } from "./functions";

export interface Registration {
  /** Whether the server took the functions when it was last told of them, and answered in time. */
  readonly done: boolean;
  stop(): void;
}

/**
 * Tells the Inngest server which functions are at `url`, every minute: one that was restarted without its store, or
 * moved, has forgotten them. Again every 10 s until it has taken them.
 */
export function keepRegistered(url: string, { everyMs = 60_000, retryMs = 10_000 } = {}): Registration {
  // A handler of its own, reachable from here alone: the one that the route serves takes no sync without a signature.
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

/** What the server said instead of taking them; null where it did. */
async function register(handler: (request: Request) => Promise<Response>, url: string): Promise<string | null> {
  const { host } = new URL(url);
  const response = await handler(new Request(url, { method: "PUT", headers: { host } }));
  return response.ok ? null : `${response.status} ${await response.text()}`;
}
