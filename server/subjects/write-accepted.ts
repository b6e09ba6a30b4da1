import type { TxCtx } from "@/server/core/context";
import type { DomainError } from "@/server/core/errors";
import type { UpsertInput } from "./input";
import type { SubjectRow } from "./view";
import { writeSubjects } from "./write";

export type Accepted = { row: SubjectRow; outcome: "created" | "updated" | "unchanged" } | { error: DomainError };

/** Thrown to undo a set in which rows were written that are refused. */
class Undo extends Error {
  constructor(readonly refused: Map<string, DomainError>) {
    super("rows were written that are refused");
  }
}

/**
 * As writeSubjects, for a set of which some may be refused: a row whose attributes would grow too large, or whose person
 * was erased, is found out when it is written. Then all are undone, and the others written without it.
 * @returns what became of each, by externalId
 */
export async function writeAccepted(
  ctx: TxCtx,
  inputs: UpsertInput[],
  ...source: [] | [source: null]
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
