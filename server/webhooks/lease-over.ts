/** Leases that ended while PostgreSQL was down are left until then to those who held them: they may live, and record or extend first. */
const graceEnd = `pg_postmaster_start_time() + interval '10 seconds'`;

/** In SQL, whether the delivery `d` is in nobody's hands at a time: it has no lease, or one that is over. */
export const leaseIsOver = (at: string, d: string) =>
  `(${d}.lease_until IS NULL OR ${d}.lease_until <= ${at} AND greatest(now(), ${d}.lease_until) >= ${graceEnd})`;

/** In SQL, when its lease will be over; null where it is. By the clock of `at`, which need not be PostgreSQL's. */
export const leaseEnds = (at: string, d: string) =>
  `CASE WHEN NOT ${leaseIsOver(at, d)} THEN greatest(${d}.lease_until, ${at} + (${graceEnd} - now())) END`;
