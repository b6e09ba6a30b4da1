import type { Id } from "@/server/core/ids";
import type { Row } from "./measure";
import type { Server } from "./processes";

/** The data that all benchmarks share: made once (setup.ts) and then copied, so that each database starts the same. */
export interface BenchmarkSetup {
  /** A server as `npm start` runs it, on its own database. */
  server: Server;
  /** The URL of the server's database. */
  servedUrl: string;
  /** The URL of a copy that no server uses, for reference measurements over bare pg. */
  bareUrl: string;
  orgId: Id<"org">;
  token: string;
  templateId: string;
  /** `holder-0` to `holder-<holders - 1>` are subjects without a credential. */
  holders: number;
  /** Templates of which nobody holds a credential. */
  bulkTemplateIds: string[];
  /** Templates, and the number of credentials that each of them has. */
  revocable: { templateIds: string[]; credentials: number };
  /** Policies of each of which nobody holds a credential, and how many people each means. */
  policies: { ids: string[]; people: number };
  /** Public codes of credentials that are valid. */
  codes: string[];
  /** Another organisation, with a million subjects and credentials. */
  large: Organisation;
  /** Another organisation, without people, and its policy. */
  fresh: Organisation & { policyId: string };
}

export interface Organisation {
  orgId: Id<"org">;
  token: string;
  templateId: Id<"tpl">;
  templateVersionId: Id<"tpv">;
}

/** How long each rate is measured, and how many rows a large organisation has. */
export interface Scale {
  seconds: number;
  million: number;
}

export type Benchmark = (setup: BenchmarkSetup, scale: Scale) => AsyncIterable<Row>;
