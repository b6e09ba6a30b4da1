/**
 * The end of a grace period after the start of PostgreSQL. Leases that ended while it was down hold until then, because
 * their holders may be alive and could not extend or record.
 */
const graceEnd = `pg_postmaster_start_time() + interval '10 seconds'`;

/** SQL: whether nobody holds the row at the time `at`: it has no lease, or one that is over. */
export const isLeaseOver = (at: string, row: string) =>
  `(${row}.lease_until IS NULL OR ${row}.lease_until <= ${at} AND greatest(now(), ${row}.lease_until) >= ${graceEnd})`;

/** SQL: when the row's lease will be over; null if it is over. By the clock of `at`, which need not be PostgreSQL's. */
export const leaseEnds = (at: string, row: string) =>
  `CASE WHEN NOT ${isLeaseOver(at, row)} THEN greatest(${row}.lease_until, ${at} + (${graceEnd} - now())) END`;
