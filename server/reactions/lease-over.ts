/**
 * For leases that ended while PostgreSQL was down: until then only their holders, who may live, can extend or record.
 */
const graceEnd = `pg_postmaster_start_time() + interval '10 seconds'`;

/** SQL: whether nobody holds the row at a time: it has no lease, or one that is over. */
export const isLeaseOver = (at: string, row: string) =>
  `(${row}.lease_until IS NULL OR ${row}.lease_until <= ${at} AND greatest(now(), ${row}.lease_until) >= ${graceEnd})`;

/** SQL: when the row's lease will be over; null where it is. By the clock of `at`, which need not be PostgreSQL's. */
export const leaseEnds = (at: string, row: string) =>
  `CASE WHEN NOT ${isLeaseOver(at, row)} THEN greatest(${row}.lease_until, ${at} + (${graceEnd} - now())) END`;
