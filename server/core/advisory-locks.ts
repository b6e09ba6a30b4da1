/**
 * Every number of a PostgreSQL advisory lock that the service takes. A test fails if a number is used twice, or written
 * elsewhere.
 *
 * Locks of texts (`hashtextextended(text, 0)`: idempotency keys, invitations) share the 64-bit space with these single
 * numbers. A collision is as unlikely as one between two texts.
 */
export const advisoryLocks = {
  /** Held while numbering events, by one sequencer at a time across processes. */
  sequencer: 7_266_331,
  /** Held while claiming runs of the embedded job engine. Taken by the database's function `engine_claim`. */
  engineClaim: 7_266_332,
  /** Held while seeding the demo organisation. */
  demo: 7_266_333,
  /** Held while replaying missing events to one endpoint; the second key is the hash of its id. */
  replayMissing: 7_266_334,
  /**
   * Held by a SCIM request that names an unknown member, in share mode by one that creates a user; the second key is the
   * hash of the connection.
   */
  scimArrivals: 7_266_336,
  /** Held while making partitions. Taken by the database's function `prepare_partitions`. */
  partitions: 7_266_337,
  /** Held while making or using a set-up link. */
  setup: 7_266_335,
  /**
   * Held while migrating. Prisma's tools use this number too, so they and scripts/migrations/migrate.mjs exclude each
   * other.
   */
  migrations: 72_707_369,
  /** Held while revising passes in wallets, so that the numbers of revisions follow the order of commits. */
  walletChanges: 7_266_338,
  /** Held at the start while comparing the master secret with the fingerprint in the database. */
  masterSecret: 72_707_370,
  /**
   * Held in share mode while subjects or credentials of one organisation are written; taken by the trigger
   * `stamp_change`. The second key is the hash of the organisation.
   */
  changeStamps: 1_937_006_963,
} as const;
