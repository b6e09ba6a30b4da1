import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { Turns } from "@/server/core/turns";
import { PullError } from "./http/pull-error";
import { sampleOf } from "./http/sample";
import { openSecret } from "./http/secret";
import { httpSettings, originOf, type HttpSettings } from "./http/settings";
import { fetchFields } from "./input";
import { loadConnector } from "./load";

/** A test waits no longer for a source than a person would. */
const testMs = 30_000;
const turns = new Turns({ doing: "sources are being tested", atOnce: 8, each: 2, all: 40, waitMs: 20_000 });

export const sourceTestSchema = z
  .object({
    ok: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    columns: z
      .array(z.string())
      .meta({ description: "The columns of the file, or the paths of the values in the JSON." }),
    rows: z.array(z.array(z.string())).meta({ description: "The first people, at most 20." }),
  })
  .meta({ id: "ConnectorSourceTest" });

/**
 * Asks a source for its first people, as a connector with these settings would. Stores nothing. With `connectorId` and
 * without `secret`, the stored one is used, for the server alone that it was entered for.
 */
export const testConnectorSource = query({
  name: "connectors.test",
  scope: "connectors:write",
  input: z.strictObject({
    connectorId: id("con").optional(),
    settings: httpSettings,
    secret: fetchFields.secret.optional(),
  }),
  async run(ctx, { connectorId, settings, secret }) {
    const used =
      secret === undefined && connectorId ? await storedSecret(ctx, connectorId, settings) : (secret ?? null);
    return turns.take(ctx.orgId, async () => {
      try {
        const sample = await sampleOf({ settings, secret: used, signal: AbortSignal.timeout(testMs), pause: noPause });
        return { ok: true, error: null, ...sample };
      } catch (error) {
        const why =
          error instanceof DOMException
            ? new PullError("timeout", `The server did not answer within ${testMs / 1000} seconds.`)
            : error;
        if (!(why instanceof PullError)) throw error;
        return { ok: false, error: { code: why.code, message: why.message }, columns: [], rows: [] };
      }
    });
  },
});

const noPause = async () => undefined;

async function storedSecret(ctx: Ctx, connectorId: Id<"con">, settings: HttpSettings): Promise<string | null> {
  const connector = await loadConnector(ctx, connectorId);
  if (originOf(connector.settings["url"]) !== originOf(settings.url)) return null;
  const [row] = await reading(ctx).sql<{ secret: Buffer | null }>(
    `SELECT secret FROM connectors WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, connectorId],
  );
  return openSecret(connectorId, row!.secret);
}
