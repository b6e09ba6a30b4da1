import type { z } from "zod";
import type { Id } from "@/server/core/ids";
import { requireUnchanged, type Change } from "./change-set";
import { nextState, type CredentialAction } from "./states";
import { transition } from "./transition";

interface StateChangeInput {
  id: Id<"crd">;
  ifMatch?: string | undefined;
  reason?: string | undefined;
  note?: string | undefined;
}

/** Builds a change from an action of the table in states.ts. */
export function stateChange<I extends StateChangeInput>(action: CredentialAction, input: z.ZodType<I>): Change<I> {
  return {
    input,
    check(ctx, row, { ifMatch }) {
      requireUnchanged(ctx, row, ifMatch);
      nextState(row, action);
    },
    write: (ctx, changes) =>
      transition(
        ctx,
        changes.map(({ row, input: { reason, note } }) => ({ row, reason, note })),
        action,
      ),
  };
}
