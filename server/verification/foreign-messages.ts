import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";
import type { JsonObject } from "@/server/standards/json";
import type { StandardCheck } from "@/server/standards/verify/check";
import type { Examined } from "@/server/standards/verify/verify-credential";

/** The jobs of the worker processes, with their input and result. */
export interface ForeignJobs {
  /** Finds the credential in a file, as text. */
  read: { given: { bytes: Uint8Array }; result: { credential: string } | { malformed: string } };
  /** Makes all checks but those of the statuses. */
  examine: { given: { credential: string | JsonObject } & Outside; result: Round<Examined> };
  /** Checks the statuses of a credential whose signature was verified. */
  statuses: { given: { document: JsonObject } & Outside; result: Round<StandardCheck[]> };
}

/** What a job knows of the outside. */
export interface Outside {
  now: Date;
  /** In which the sentences of checks write dates. */
  locale: string | undefined;
  answers: Answers;
  /** The URLs that this service answered itself. Their documents are not cached, so a change of key or domain holds at once. */
  ownUrls: string[];
}

/** Fetched documents, by requestKey(). */
export type Answers = Record<string, OutboundResult>;
/** `wanted`: documents that have to be fetched before the job can be done. */
export type Round<Done> = { done: Done } | { wanted: OutboundRequest[] };

export type JobName = keyof ForeignJobs;
export type Job = { [Name in JobName]: { name: Name; given: ForeignJobs[Name]["given"] } }[JobName];

/** The key of a document in `answers`: its URL and the media types asked for. */
export const requestKey = ({ url, headers }: OutboundRequest): string => JSON.stringify([url, headers?.["accept"]]);
