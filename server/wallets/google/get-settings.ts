import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { findGoogleSettings, googleSettingsTag, googleSettingsView } from "./settings";

/** Returns the organisation's settings for Google Wallet, without its key. */
export const getGoogleSettings = query({
  name: "wallets.google.get",
  scope: ["settings:read", "settings:write"],
  input: z.strictObject({}),
  tag: googleSettingsTag,
  run: async (ctx) => googleSettingsView(await findGoogleSettings(reading(ctx).sql, ctx.orgId)),
});
