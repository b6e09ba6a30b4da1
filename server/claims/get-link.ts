import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadLink } from "./load";
import { claimLinkTag, claimLinkView } from "./view";

/** Returns a claim link with its counts. */
export const getClaimLink = query({
  name: "claim_links.get",
  scope: "credentials:read",
  input: z.strictObject({ id: id("clk") }),
  tag: claimLinkTag,
  run: async (ctx, input) => claimLinkView(await loadLink(ctx, input.id), ctx.now),
});
