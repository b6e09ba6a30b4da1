import type { TxCtx } from "@/server/core/context";
import type { DomainError } from "@/server/core/errors";
import type { UpsertInput } from "./input";
import { writeSubjects, type FeedSource, type WrittenSubject } from "./write";

export type Accepted = Exclude<WrittenSubject, { error: DomainError }> | { error: DomainError };

/** Thrown to roll back a set in which refused rows were written. */
class Undo extends Error {
  constructor(readonly refused: Map<string, DomainError>) {
    super("rows were written that are refused");
  }
}

/**
 * Does what writeSubjects does for a set in which rows may be refused. A refusal (the attributes would grow too large,
 * or the person was erased) shows only after the write. Then the whole set is rolled back, and the other rows are
 * written again without the refused ones.
 * @returns the outcome of each row, by externalId
 */
export async function writeAccepted(
  ctx: TxCtx,
  inputs: UpsertInput[],
  ...source: [] | [source: FeedSource | null]
): Promise<Map<string, Accepted>> {
  if (inputs.length === 0) return new Map();
  try {
    return await ctx.tx.savepoint(async () => {
      const written = await writeSubjects(ctx, inputs, ...source);
      const undo = new Map<string, DomainError>();
      for (const [externalId, result] of written)
        if ("error" in result && result.wrote) undo.set(externalId, result.error);
      if (undo.size > 0) throw new Undo(undo);
      return written;
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
    const others = await writeAccepted(
      ctx,
      inputs.filter(({ externalId }) => !error.refused.has(externalId)),
      ...source,
    );
    for (const [externalId, why] of error.refused) others.set(externalId, { error: why });
    return others;
  }
}
