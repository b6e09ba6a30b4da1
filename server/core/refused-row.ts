import { z } from "zod";
import { DomainError } from "./errors";
import { issueCodeNames } from "./issue-codes";

const stored = z.strictObject({
  refusedRow: z.array(z.object({ pointer: z.string(), code: z.enum(issueCodeNames), message: z.string() })).min(1),
});

/**
 * Checks that a row of a bulk request is an object; the operation's own error would call the row "the request".
 * @throws DomainError invalid_request
 */
export function asRow(item: unknown): object {
  if (typeof item === "object" && item !== null && !Array.isArray(item)) return item;
  throw new DomainError("invalid_request", "The row must be an object.", {
    errors: [{ pointer: "", code: "invalid_type", message: "The row must be an object" }],
  });
}

/**
 * A row of a bulk request that is valid JSON but cannot be represented exactly. It replaces the row in the list, and
 * parseInput throws its error.
 */
export class RefusedRow {
  constructor(readonly error: DomainError) {}

  /** The form in which it is stored with a job. */
  toJSON() {
    return { refusedRow: this.error.extras.errors };
  }

  /** Restores a row that was stored with a job; any other row is returned as it is. */
  static restore(item: unknown): unknown {
    const row = stored.safeParse(item);
    return row.success
      ? new RefusedRow(
          new DomainError("invalid_request", `${row.data.refusedRow[0]!.message}.`, { errors: row.data.refusedRow }),
        )
      : item;
  }
}
