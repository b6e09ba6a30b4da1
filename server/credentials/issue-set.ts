import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { requireAward } from "@/server/achievements/award";
import { requireResults } from "@/server/achievements/required-results";
import { requireFormats } from "@/server/templates/entered-formats";
import { draft, isExclusive, type Source } from "./draft";
import type { IssueInput } from "./input";
import { insertCredentials, type NewCredential } from "./insert-credentials";
import { resolveContexts, type IssueContext } from "./issue-context";
import { undoRefused, type Attempt } from "./undo-refused";
import type { CredentialRow } from "./view";

interface Held {
  row: CredentialRow;
  created: boolean;
}

export type Issued = Held | { error: DomainError };

/**
 * Issues a set of credentials (contract section 7) with as many statements as one needs. A refused input leaves nothing
 * behind and does not affect the others. Inputs for the same subject take effect in their order. Emits, for each, what
 * issueCredential emits.
 * @returns one outcome for each input, in their order.
 */
export function issueSet(ctx: TxCtx, inputs: IssueInput[], source: Source): Promise<Issued[]> {
  return undoRefused(ctx.tx, inputs, (open) => attempt(ctx, open, source));
}

/** Issues one credential, without a savepoint. @throws DomainError; the caller then rolls back. */
export async function issueOne(ctx: TxCtx, input: IssueInput, source: Source): Promise<Held> {
  const [issued] = await attempt(ctx, [input], source);
  if ("error" in issued!) throw issued.error;
  return issued!;
}

/** Issues a set without undoing refused inputs. `wrote` is true for a refused input whose subject was upserted. */
async function attempt(ctx: TxCtx, inputs: IssueInput[], source: Source): Promise<Attempt<Held>[]> {
  const results: Attempt<Held>[] = [];
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
      else if ("error" in result) results[each.at] = { error: result.error, wrote: result.wroteSubject };
      else {
        const { input, at } = each;
        const { context, wroteSubject } = result;
        try {
          requireNoChoice(context, input, source);
          requireFormats(context.formats, input.data ?? {});
          if (context.kind === "academic") requireAward(input.data ?? {});
          if (context.resultRules) requireResults(context.resultRules, input.data ?? {});
          drafts.push({
            at,
            wroteSubject,
            ifExists: input.ifExists ?? "fail",
            draft: draft(ctx, context, input, source),
          });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          results[at] = { error, wrote: wroteSubject };
        }
      }
    }
    const inserted = await insertCredentials(ctx, drafts);
    for (const [i, { at, wroteSubject }] of drafts.entries()) {
      const result = inserted[i]!;
      results[at] = "error" in result ? { error: result.error, wrote: wroteSubject } : result;
    }
    open = later;
  }
  return results;
}

/** Refuses `ifExists` where what the subject holds already makes no difference. */
function requireNoChoice(context: IssueContext, { ifExists }: IssueInput, source: Source): void {
  if (ifExists === undefined || isExclusive(context, source)) return;
  throw invalidInput([
    {
      pointer: "/ifExists",
      code: "not_supported",
      message: "must be left out: the template is repeatable, so that each issue makes another credential",
    },
  ]);
}
