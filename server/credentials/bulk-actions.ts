import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { parseInput } from "@/server/core/input";
import { asRow } from "@/server/core/refused-row";
import type { TokenScope } from "@/server/core/scopes";
import { changeSet, type Change, type Changed, type ChangeInput } from "./change-set";
import type { Asked } from "./ask-names";
import type { Source } from "./draft";
import { issueInput, type IssueInput } from "./input";
import { issueSet } from "./issue-set";
import { resumption } from "./resume";
import { revocation } from "./revoke";
import { suspension } from "./suspend";
import { amendment } from "./update";

/**
 * The actions of a bulk request (spec section 4). A row of a request is the input of the endpoint for one credential,
 * with the credential's id.
 */
export const bulkActions = ["issue", "suspend", "resume", "revoke", "update"] as const;
export type BulkAction = (typeof bulkActions)[number];

export const scopeOfAction: Record<BulkAction, TokenScope> = {
  issue: "credentials:issue",
  suspend: "credentials:suspend",
  resume: "credentials:suspend",
  revoke: "credentials:revoke",
  update: "credentials:issue",
};

/** How an action is applied to the rows of a bulk request, as a set. */
interface SetAction {
  /** @throws DomainError invalid_request */
  parse(item: unknown): unknown;
  /**
   * A refused row leaves nothing behind and does not affect the other rows. If `run` throws, nothing of the set is
   * kept.
   * @returns one outcome for each input that `parse` returned, in their order.
   */
  run(
    ctx: TxCtx,
    inputs: unknown[],
    source: Source,
  ): Promise<(Changed | (Pick<Asked, "confirmation"> & { changed: boolean }))[]>;
}

const issuing: SetAction = {
  parse: (item) => parseInput(issueInput, asRow(item)),
  async run(ctx, inputs, source) {
    const issued = await issueSet(ctx, inputs as IssueInput[], source);
    return issued.map(({ ...each }) => {
      if ("error" in each) return each;
      const { created: changed, ...what } = each;
      return { ...what, changed };
    });
  },
};

/** What a row may be, for descriptions: it depends on the action. */
export const bulkRowInput = z.union([
  issueInput.meta({ id: "BulkIssue" }),
  suspension.input.meta({ id: "BulkSuspend" }),
  resumption.input.meta({ id: "BulkResume" }),
  revocation.input.meta({ id: "BulkRevoke" }),
  amendment.input.meta({ id: "BulkUpdate" }),
]);

const changing = <I extends ChangeInput>(change: Change<I>): SetAction => ({
  parse: (item) => parseInput(change.input, asRow(item)),
  run: (ctx, inputs) => ctx.tx.savepoint(() => changeSet(ctx, change, inputs as I[])),
});

export const setActions: Record<BulkAction, SetAction> = {
  issue: issuing,
  suspend: changing(suspension),
  resume: changing(resumption),
  revoke: changing(revocation),
  update: changing(amendment),
};
