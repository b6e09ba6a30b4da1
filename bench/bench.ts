import type { Row } from "./load";

/** What every benchmark gets: a running server on loopback, its database, and an organisation with a key. */
export interface Bench {
  origin: string;
  databaseUrl: string;
  orgId: string;
  token: string;
  /** How long each rate is measured. */
  seconds: number;
  /** How many subjects the large organisation has. */
  subjects: number;
}

export type Benchmark = (bench: Bench) => Promise<Row[]>;
