import type { Id } from "@/server/core/ids";
import { isLeaseOver } from "./lease-over";

interface Definition<Held> {
  table: string;
  /** The columns of its key, with the type of each and where a held row has it. */
  key: Record<string, { type: "text" | "uuid"; of(held: Held): string | Id }>;
  claimId: { type: "text" | "uuid"; of(held: Held): string | Id };
  /** The column that says `pending` of a row that waits or is being worked on. */
  status: string;
  /** The column with the time from which it can be claimed. */
  due: string;
}

/**
 * A table of due rows that processes claim under a lease (docs/architecture.md, rule 4): `claim_id` is the fence and
 * `lease_until` the end of the lease, both null while nobody works on the row. What a process writes of a row is
 * written only while its claim holds, so that one that stood still changes nothing after another took over. Gives the
 * parts of statements; each consumer says itself which rows are due.
 */
export class LeasedTable<Held> {
  constructor(private readonly definition: Definition<Held>) {}

  /**
   * SQL: whether a row is due and nobody else's at a time. A claim that is repeated under the same id takes what it may
   * have leased before.
   */
  claimable(row: string, at: string, claimId: string): string {
    const { status, due } = this.definition;
    return `${row}.${status} = 'pending' AND ${row}.${due} <= ${at} AND (${row}.claim_id = ${claimId} OR ${isLeaseOver(at, row)})`;
  }

  /**
   * SQL: leases the rows of `picked`, whose column `tid` names each by its ctid, locked with FOR UPDATE SKIP LOCKED.
   * @param also further columns to set, each after a comma
   */
  claim(picked: string, claimId: string, until: string, also = ""): string {
    return `UPDATE ${this.definition.table} AS leased SET claim_id = ${claimId}, lease_until = ${until}${also} FROM ${picked} WHERE leased.ctid = ${picked}.tid`;
  }

  /**
   * SQL: moves the end of the leases that are still held. What another statement writes at this moment is left out, so
   * that this waits for nothing.
   */
  extend(until: string): string {
    return this.change(`lease_until = ${until}`, "FOR UPDATE SKIP LOCKED");
  }

  /**
   * SQL: gives back what is still held, with the changes that say what becomes of it: due again (now or at a retry),
   * done, failed or parked.
   */
  release(changes: string): string {
    return this.change(`${released}, ${changes}`, "FOR UPDATE");
  }

  /**
   * The parameters of extend and release, $1 to $n: a column of each part of the key, then the claims' ids. Those of
   * the changes follow.
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

  /** Each row is found by its key, whatever PostgreSQL believes of the size of the table. */
  private change(changes: string, lock: string): string {
    const { table, key } = this.definition;
    const names = [...Object.keys(key), "claim_id"];
    return `
WITH held AS MATERIALIZED (
  SELECT found.tid FROM unnest(${this.parts()
    .map(({ type }, n) => `$${n + 1}::${type}[]`)
    .join(", ")}) AS ours (${names.join(", ")})
  CROSS JOIN LATERAL (
    SELECT r.ctid AS tid FROM ${table} AS r WHERE ${names.map((name) => `r.${name} = ours.${name}`).join(" AND ")} ${lock}
  ) AS found
)
UPDATE ${table} AS leased SET ${changes} FROM held WHERE leased.ctid = held.tid RETURNING 1`;
  }
}

/** SQL: what is set when nobody works on a row any more. */
export const released = "claim_id = NULL, lease_until = NULL";
