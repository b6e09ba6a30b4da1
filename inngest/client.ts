import { Inngest, type ClientOptions } from "inngest";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { runningEngine } from "./engine-holder";
import { engineMode } from "./mode";

// The options are getters, read when the SDK needs them, so that this module can be imported where there is no
// configuration (`next build`).
const options: ClientOptions = {
  id: "bonafide",
  checkpointing: false,
  get isDev() {
    return engineMode() === "embedded";
  },
  get baseUrl() {
    return env().INNGEST_BASE_URL;
  },
  get eventKey() {
    return env().INNGEST_EVENT_KEY;
  },
  get signingKey() {
    return env().INNGEST_SIGNING_KEY;
  },
  fetch: (input, init) => (engineMode() === "embedded" ? runningEngine().fetch(input, init) : fetch(input, init)),
  logger: {
    info: (first: unknown, message?: string) => log().info(first, message),
    warn: (first: unknown, message?: string) => log().warn(first, message),
    error: (first: unknown, message?: string) => log().error(first, message),
    debug: (first: unknown, message?: string) => log().debug(first, message),
  },
};

/** The Inngest client: every function is created with it, and every event is sent through it. */
export const inngest = new Inngest(options);
