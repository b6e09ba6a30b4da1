import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadCredential } from "@/server/credentials/load";
import { effectiveState } from "@/server/credentials/states";
import { channelColumns, channelView, type ChannelRow } from "./view";

/** Lists the addresses to which a credential was sent and the wallets that hold it, newest first. */
export const listChannels = query({
  name: "credentials.channels.list",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd"), ...page }),
  async run(ctx, input) {
    const credential = await loadCredential(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "credential_channels", credential.id],
      fetch: ({ after, take, skip }) =>
        sql<ChannelRow>(
          `SELECT ${channelColumns} FROM credential_channels
           WHERE org_id = $1 AND credential_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, credential.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM credential_channels WHERE org_id = $1 AND credential_id = $2`,
            [ctx.orgId, credential.id],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    const state = effectiveState(credential, ctx.now);
    const ended = state === "active" || state === "pending" ? null : state;
    return { ...found, data: found.data.map((row) => channelView(row, ended)) };
  },
});
