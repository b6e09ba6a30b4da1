import { serve } from "inngest/edge";
import { log } from "@/server/core/log";
import { inngest } from "./client";
import { functions } from "./functions";

export interface Registration {
  readonly done: boolean;
  stop(): void;
}

/** Tells the Inngest server which functions are at `url`; again every 10 s until it has taken them. */
export function keepRegistered(url: string, retryMs = 10_000): Registration {
  // A handler of its own, reachable from here alone: the one that the route serves takes no sync without a signature.
  const handler = serve({ client: inngest, functions, enableUnauthedSync: true });
  const state = { done: false, timer: undefined as NodeJS.Timeout | undefined };
  const attempt = async (): Promise<void> => {
    const { host } = new URL(url);
    const response = await handler(new Request(url, { method: "PUT", headers: { host } }));
    const answer: unknown = await response.json();
    state.done = response.ok;
    if (response.ok) return log().info({ url }, "registered with the Inngest server");
    log().warn({ url, status: response.status, answer }, "the Inngest server did not take the functions");
    state.timer = setTimeout(() => void attempt(), retryMs);
  };
  void attempt();
  return {
    get done() {
      return state.done;
    },
    stop: () => clearTimeout(state.timer),
  };
}
