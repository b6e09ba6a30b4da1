import type { Id } from "@/server/core/ids";
import type { Row } from "./measure";
import type { Server } from "./processes";

/** What is there for every benchmark: made once (ground.ts), then copied, so that each database begins alike. */
export interface Ground {
  /** A server as `npm start` runs it, on a database of its own. */
  server: Server;
  /** What that server works on. */
  servedUrl: string;
  /** A copy that no server works on: for references over bare pg. */
  bareUrl: string;
  orgId: Id<"org">;
  token: string;
  templateId: string;
  /** `holder-0` to `holder-<holders - 1>` are subjects without a credential. */
  holders: number;
  /** Templates that nobody holds a credential of. */
  bulkTemplateIds: string[];
  /** Templates of each of which there are so many credentials. */
  revocable: { templateIds: string[]; credentials: number };
  /** Public codes of credentials that are valid. */
  codes: string[];
  /** Another organisation, for a million of everything. */
  large: { orgId: Id<"org">; token: string; templateId: Id<"tpl">; templateVersionId: Id<"tpv"> };
}

/** How long each rate is measured, and how many rows a large organisation has. */
export interface Scale {
  seconds: number;
  million: number;
}

export type Benchmark = (ground: Ground, scale: Scale) => AsyncIterable<Row>;
