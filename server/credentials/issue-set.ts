import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { uuidOf } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { requireAward } from "@/server/achievements/award";
import { requireResults } from "@/server/achievements/required-results";
import { requireFormats } from "@/server/templates/entered-formats";
import { askNames, type Asked, type NewAsk } from "./ask-names";
import type { ConfirmationRow } from "./confirmation";
import { draft, isExclusive, type Source } from "./draft";
import { insertAndEndAsks } from "./end-asks";
import type { IssueInput } from "./input";
import { insertCredentials } from "./insert-credentials";
import { resolveContexts, type IssueContext } from "./issue-context";
import { undoRefused, type Attempt } from "./undo-refused";
import type { CredentialRow } from "./view";

interface Held {
  row: CredentialRow;
  created: boolean;
}

/** A credential, or the request that its holder confirms the name first. */
export type IssueOutcome = Held | Asked;
export type Issued = IssueOutcome | { error: DomainError };

/**
 * Issues a set of credentials (contract section 7) with as many statements as one credential needs. A refused input
 * leaves nothing behind and does not affect the others. Inputs for the same subject take effect in order. If the
 * template asks holders to confirm their names, creates a request to confirm instead of a credential
 * (docs/decisions/513). Emits, for each, the events of issueOrAsk.
 *
 * @returns one outcome for each input, in order.
 */
export function issueSet(ctx: TxCtx, inputs: IssueInput[], source: Source): Promise<Issued[]> {
  return undoRefused(ctx.tx, inputs, (open) => attempt(ctx, open, source));
}

/** Does what issueSet does, for one input and without a savepoint. @throws DomainError; the caller then rolls back. */
export async function issueOne(ctx: TxCtx, input: IssueInput, source: Source): Promise<IssueOutcome> {
  const [issued] = await attempt(ctx, [input], source);
  if ("error" in issued!) throw issued.error;
  return issued!;
}

/** Issues one credential whose holder has confirmed the name. @throws DomainError; the caller then rolls back. */
export async function issueConfirmed(ctx: TxCtx, input: IssueInput, source: Source): Promise<Held> {
  const [issued] = await attempt(ctx, [input], source, true);
  if ("error" in issued!) throw issued.error;
  return issued as Held;
}

/** Issues a set without undoing refused inputs. `wrote` is true for a refused input whose subject was upserted. */
async function attempt(
  ctx: TxCtx,
  inputs: IssueInput[],
  source: Source,
  isConfirmed = false,
): Promise<Attempt<IssueOutcome>[]> {
  const results: Attempt<IssueOutcome>[] = [];
  let open = inputs.map((input, at) => ({ input, at }));
  while (open.length > 0) {
    const resolved = await resolveContexts(
      ctx,
      open.map(({ input }) => input),
    );
    const later: typeof open = [];
    const drafts: (NewAsk & { at: number; wroteSubject: boolean })[] = [];
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
          if (context.kind === "academic") {
            requireAward(input.data ?? {}, {
              now: ctx.now,
              validFrom: input.validFrom ?? ctx.now,
              criteriaUrl: context.resultRules?.criteriaUrl ?? null,
            });
            requireResults(context.resultRules, input.data ?? {});
          }
          drafts.push({
            at,
            wroteSubject,
            ifExists: input.ifExists ?? "fail",
            input,
            draft: draft(ctx, context, input, source),
          });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          results[at] = { error, wrote: wroteSubject };
        }
      }
    }
    const asks = drafts.filter(({ draft: { context } }) => context.confirmName && !isConfirmed);
    const asked = await askNames(ctx, asks);
    const signed = drafts.filter((each) => !asks.includes(each));
    const inserted = await (isConfirmed ? insertCredentials : insertAndEndAsks)(ctx, signed);
    for (const [i, { at, wroteSubject }] of [...asks, ...signed].entries()) {
      const result = i < asks.length ? asked[i]! : inserted[i - asks.length]!;
      results[at] = "error" in result ? { error: result.error, wrote: wroteSubject } : result;
    }
    open = later;
  }
  return withLivingLinks(results);
}

/** Gives each outcome of a request the row of the last one: a later input of the set may have replaced its terms and link. */
function withLivingLinks(results: Attempt<IssueOutcome>[]): Attempt<IssueOutcome>[] {
  const newest = new Map<string, ConfirmationRow>();
  for (const each of results) if ("confirmation" in each) newest.set(uuidOf(each.confirmation.id), each.confirmation);
  return results.map((each) =>
    "confirmation" in each ? { ...each, confirmation: newest.get(uuidOf(each.confirmation.id))! } : each,
  );
}

/** Refuses `ifExists` if an existing credential of the subject would make no difference. */
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
