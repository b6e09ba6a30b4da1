/**
 * Every number of a PostgreSQL advisory lock that the service takes. A test finds a number that is used elsewhere, or
 * twice.
 *
 * Locks of texts (`hashtextextended(text, 0)`: idempotency keys, invitations) share the space of 64 bits with the
 * single numbers; a collision by chance is as unlikely as one between two texts.
 */
export const advisoryLocks = {
  /** Numbers events: held by one sequencer at a time, in all processes. */
  sequencer: 7_266_331,
  /** Claims runs of the embedded job engine. Taken by the database's function `engine_claim`. */
  engineClaim: 7_266_332,
  /** Seeds the demo organisation. */
  demo: 7_266_333,
  /** Replays missing events to one endpoint; the second key is the hash of its id. */
  replayMissing: 7_266_334,
  /** Makes or uses a set-up link. */
  setup: 7_266_335,
  /** Migrates: the number of Prisma's own tools, so that they and scripts/migrations/migrate.mjs wait for one another. */
  migrations: 72_707_369,
  /** Compares the master secret with the fingerprint in the database, at start. */
  masterSecret: 72_707_370,
  /**
   * Held in share mode while subjects or credentials of one organisation are written; taken by the trigger
   * `stamp_change`. The second key is the hash of the organisation.
   */
  changeStamps: 1_937_006_963,
} as const;
