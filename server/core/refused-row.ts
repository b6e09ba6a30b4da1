import { z } from "zod";
import { DomainError } from "./errors";
import { issueCodeNames } from "./issue-codes";

const stored = z.strictObject({
  refusedRow: z.array(z.object({ pointer: z.string(), code: z.enum(issueCodeNames), message: z.string() })).min(1),
});

/**
 * A row of a bulk request. @throws DomainError invalid_request where it is no object: the operation behind it would
 * call it "the request".
 */
export function asRow(item: unknown): object {
  if (typeof item === "object" && item !== null && !Array.isArray(item)) return item;
  throw new DomainError("invalid_request", "The row must be an object.", {
    errors: [{ pointer: "", code: "invalid_type", message: "The row must be an object" }],
  });
}

/**
 * A row of a bulk request that could be read as JSON and not be taken exactly: it stands in the list in place of its
 * value, and parseInput throws its error.
 */
export class RefusedRow {
  constructor(readonly error: DomainError) {}

  /** As it is stored with a job. */
  toJSON() {
    return { refusedRow: this.error.extras.errors };
  }

  /** A row as a job stored it. */
  static restore(item: unknown): unknown {
    const row = stored.safeParse(item);
    return row.success
      ? new RefusedRow(
          new DomainError("invalid_request", `${row.data.refusedRow[0]!.message}.`, { errors: row.data.refusedRow }),
        )
      : item;
  }
}
