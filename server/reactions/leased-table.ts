import type { Id } from "@/server/core/ids";
import { isLeaseOver } from "./lease-over";

interface Definition<Held> {
  table: string;
  /** The columns of the key, each with its type and how to read it from a held row. */
  key: Record<string, { type: "text" | "uuid"; of(held: Held): string | Id }>;
  claimId: { type: "text" | "uuid"; of(held: Held): string | Id };
  /** The column that is `pending` while a row waits or is being worked on. */
  status: string;
  /** The column with the time from which it can be claimed. */
  due: string;
  /** Whether the table has partitions. A place (`ctid`) is then only one within a partition, which the key tells. */
  partitioned?: true;
}

/**
 * A table of due rows that processes claim under a lease (docs/architecture.md, rule 4). `claim_id` is the fence and
 * `lease_until` the end of the lease; both are null while nobody works on the row. A process can write a row only while
 * its claim holds, so a process that stalled changes nothing after another one took over. The methods return parts of
 * SQL statements; each consumer adds its own condition for due rows.
 */
export class LeasedTable<Held> {
  constructor(private readonly definition: Definition<Held>) {}

  /**
   * SQL: whether a row is due at the time `at` and not held by another claim. A claim that is repeated under the same
   * id takes the rows that it may have leased before.
   */
  claimable(row: string, at: string, claimId: string): string {
    const { status, due } = this.definition;
    return `${row}.${status} = 'pending' AND ${row}.${due} <= ${at} AND (${row}.claim_id = ${claimId} OR ${isLeaseOver(at, row)})`;
  }

  /**
   * SQL: leases the rows of `picked`.
   * @param picked a table expression with `located` of each row, locked with FOR UPDATE SKIP LOCKED
   * @param also further columns to set, each after a comma
   */
  claim(picked: string, claimId: string, until: string, also = ""): string {
    return `UPDATE ${this.definition.table} AS leased SET claim_id = ${claimId}, lease_until = ${until}${also} FROM ${picked} WHERE ${this.sameRow("leased", picked)}`;
  }

  /** SQL: the columns by which `sameRow` finds a row again. */
  located(row: string): string {
    return [`${row}.ctid AS tid`, ...this.partitionKey().map((name) => `${row}.${name}`)].join(", ");
  }

  /** SQL: whether a row is the one that was `located`. The place leaves PostgreSQL one plan, whatever its statistics say. */
  sameRow(row: string, found: string): string {
    return [
      `${row}.ctid = ${found}.tid`,
      ...this.partitionKey().map((name) => `${row}.${name} = ${found}.${name}`),
    ].join(" AND ");
  }

  private partitionKey() {
    return this.definition.partitioned ? Object.keys(this.definition.key) : [];
  }

  /**
   * SQL: moves the end of the leases that are still held. It skips rows that another transaction has locked, so it
   * never waits.
   */
  extend(until: string): string {
    return this.change(`lease_until = ${until}`, "FOR UPDATE SKIP LOCKED");
  }

  /**
   * SQL: releases the rows that are still held.
   * @param changes the assignments that make a row due again (now or for a retry), done, failed or parked
   */
  release(changes: string): string {
    return this.change(`${released}, ${changes}`, "FOR UPDATE");
  }

  /**
   * The parameters $1 to $n of extend and release: one array for each column of the key, then one of the claim ids. The
   * parameters of the changes follow.
   */
  columns(held: readonly Held[]): (string | Id)[][] {
    return this.parts().map(({ of }) => held.map(of));
  }

  /** The number of the first parameter after `columns`. */
  get next(): number {
    return this.parts().length + 1;
  }

  private parts() {
    return [...Object.values(this.definition.key), this.definition.claimId];
  }

  /** SQL: changes the held rows. LATERAL makes PostgreSQL look up each row by its key, whatever its statistics say. */
  private change(changes: string, lock: string): string {
    const { table, key } = this.definition;
    const names = [...Object.keys(key), "claim_id"];
    return `
WITH held AS MATERIALIZED (
  SELECT found.* FROM unnest(${this.parts()
    .map(({ type }, n) => `$${n + 1}::${type}[]`)
    .join(", ")}) AS ours (${names.join(", ")})
  CROSS JOIN LATERAL (
    SELECT ${this.located("r")} FROM ${table} AS r WHERE ${names.map((name) => `r.${name} = ours.${name}`).join(" AND ")} ${lock}
  ) AS found
)
UPDATE ${table} AS leased SET ${changes} FROM held WHERE ${this.sameRow("leased", "held")} RETURNING 1`;
  }
}

/** SQL: the assignments that end a claim. */
export const released = "claim_id = NULL, lease_until = NULL";
