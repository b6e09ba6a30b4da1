import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";
import type { JsonObject } from "@/server/standards/json";
import type { StandardCheck } from "@/server/standards/verify/check";
import type { Examined } from "@/server/standards/verify/verify-credential";

/** The jobs of the worker processes: what they are given, and what they give back. */
export interface ForeignJobs {
  /** Finds the credential in a file, as text. */
  read: { given: { bytes: Uint8Array }; result: { credential: string } | { malformed: string } };
  /** Everything but the statuses. */
  examine: { given: { credential: string | JsonObject; now: Date; answers: Answers }; result: Round<Examined> };
  /** The statuses of a credential whose signature holds. */
  statuses: { given: { document: JsonObject; now: Date; answers: Answers }; result: Round<StandardCheck[]> };
}

/** Documents that were fetched, by requestKey(). */
export type Answers = Record<string, OutboundResult>;
/** `wanted`: documents that have to be fetched first. */
export type Round<Done> = { done: Done } | { wanted: OutboundRequest[] };

export type JobName = keyof ForeignJobs;
export type Job = { [Name in JobName]: { name: Name; given: ForeignJobs[Name]["given"] } }[JobName];

/** What names a document in `answers`. */
export const requestKey = ({ url, headers }: OutboundRequest): string => JSON.stringify([url, headers?.["accept"]]);
