import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { draft, type Source } from "./draft";
import type { IssueInput } from "./input";
import { insertCredentials, type NewCredential } from "./insert-credentials";
import { resolveContexts } from "./issue-context";
import type { CredentialRow } from "./view";

export type Issued = { row: CredentialRow; created: boolean } | { error: DomainError };

/** What became of one input; `wroteSubject` where its subject was upserted, which is to be undone with an error. */
type Attempt = Issued & { wroteSubject: boolean };

/** Thrown to undo a set in which inputs were refused after their subjects had been written. */
class Undo extends Error {
  constructor(readonly refused: Map<IssueInput, DomainError>) {
    super("inputs were refused after their subjects had been written");
  }
}

/**
 * Issues a set of credentials (contract section 7) with as many statements as one needs. One that is refused leaves
 * nothing behind and harms no other; inputs of the same subject take effect in their order. Emits what issueCredential
 * emits, for each.
 * @returns what became of each input, in their order.
 */
export async function issueSet(ctx: TxCtx, inputs: IssueInput[], source: Source): Promise<Issued[]> {
  const refused = new Map<IssueInput, DomainError>();
  for (;;) {
    const open = inputs.filter((input) => !refused.has(input));
    try {
      const attempts = await ctx.tx.savepoint(async () => {
        const all = await attempt(ctx, open, source);
        const undo = new Map<IssueInput, DomainError>();
        for (const [i, each] of all.entries()) if ("error" in each && each.wroteSubject) undo.set(open[i]!, each.error);
        if (undo.size > 0) throw new Undo(undo);
        return all;
      });
      const byInput = new Map<IssueInput, Issued>(open.map((input, i) => [input, attempts[i]!]));
      return inputs.map((input) => byInput.get(input) ?? { error: refused.get(input)! });
    } catch (error) {
      if (!(error instanceof Undo)) throw error;
      for (const [input, why] of error.refused) refused.set(input, why);
    }
  }
}

/** A set of one, without a savepoint of its own. @throws DomainError, and then the caller undoes it. */
export async function issueOne(
  ctx: TxCtx,
  input: IssueInput,
  source: Source,
): Promise<{ row: CredentialRow; created: boolean }> {
  const [issued] = await attempt(ctx, [input], source);
  if ("error" in issued!) throw issued.error;
  return issued!;
}

async function attempt(ctx: TxCtx, inputs: IssueInput[], source: Source): Promise<Attempt[]> {
  const results: Attempt[] = [];
  let open = inputs.map((input, at) => ({ input, at }));
  while (open.length > 0) {
    const resolved = await resolveContexts(
      ctx,
      open.map(({ input }) => input),
    );
    const later: typeof open = [];
    const drafts: (NewCredential & { at: number; wroteSubject: boolean })[] = [];
    for (const [i, each] of open.entries()) {
      const result = resolved[i]!;
      if (result === "later") later.push(each);
      else if ("error" in result) results[each.at] = result;
      else {
        const { input, at } = each;
        const { context, wroteSubject } = result;
        try {
          drafts.push({ at, wroteSubject, ifExists: input.ifExists, draft: draft(ctx, context, input, source) });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          results[at] = { error, wroteSubject };
        }
      }
    }
    const inserted = await insertCredentials(ctx, drafts);
    for (const [i, { at, wroteSubject }] of drafts.entries()) results[at] = { ...inserted[i]!, wroteSubject };
    open = later;
  }
  return results;
}
