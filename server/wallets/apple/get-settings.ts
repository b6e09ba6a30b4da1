import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { appleSettingsTag, appleSettingsView, findSettings } from "./settings";

/** Returns the organisation's settings for Apple Wallet, without its key. */
export const getAppleSettings = query({
  name: "wallets.apple.get",
  scope: ["settings:read", "settings:write"],
  input: z.strictObject({}),
  tag: appleSettingsTag,
  run: async (ctx) => appleSettingsView(await findSettings(reading(ctx).sql, ctx.orgId), ctx.now),
});
