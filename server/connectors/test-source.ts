import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { Turns } from "@/server/core/turns";
import { PullError } from "./http/pull-error";
import { sampleOf } from "./http/sample";
import { openSecret } from "./http/secret";
import { httpSettings } from "./http/settings";
import { fetchFields, requireSecret } from "./input";
import { loadConnector } from "./load";
import { serverOf } from "./server-of";
import { hostKeySchema } from "./sftp/host-key";
import { sampleOfServer } from "./sftp/sample";
import { HostKeyError } from "./sftp/session";
import { sftpFetchSettings } from "./sftp/settings";

/** The timeout of a test in milliseconds. It is short, because an administrator waits for the result. */
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
    hostKey: hostKeySchema.nullable().meta({
      description: "For sftp: the server's key. Compare its fingerprint before you set it as settings.hostKey.",
    }),
    files: z.array(z.string()).meta({ description: "For sftp: the files that match the path, at most 20." }),
  })
  .meta({ id: "ConnectorSourceTest" });

/**
 * Reads the first people of a source as a connector with these settings would. Stores nothing. With `connectorId` and
 * without `secret`, uses the connector's stored secret, but only for the server for which it was entered.
 */
export const testConnectorSource = query({
  name: "connectors.test",
  scope: "connectors:write",
  input: z.strictObject({
    connectorId: id("con").optional(),
    settings: httpSettings
      .optional()
      .meta({ description: "The settings of a connector of type http. Send either this or sftp." }),
    sftp: sftpFetchSettings.optional().meta({ description: "The settings of a connector of type sftp that fetches." }),
    secret: fetchFields.secret.optional(),
  }),
  async run(ctx, { connectorId, settings: http, sftp, secret }) {
    const settings = sftp ?? http;
    if (!settings || (http && sftp))
      throw invalidInput([
        {
          pointer: "/settings",
          code: "invalid_value",
          message: "must be sent to test a source over http; for SFTP, send sftp instead",
        },
      ]);
    if (secret) requireSecret(sftp ? "sftp" : "http", settings, secret);
    const used =
      secret === undefined && connectorId ? await storedSecret(ctx, connectorId, settings) : (secret ?? null);
    return turns.take(ctx.orgId, async () => {
      const asking = { secret: used, signal: AbortSignal.timeout(testMs) };
      try {
        const sample = sftp
          ? await sampleOfServer({ ...asking, settings: sftp })
          : await sampleOf({ ...asking, settings: http!, pause: noPause });
        return { ...passed, ...sample };
      } catch (error) {
        const why =
          error instanceof DOMException
            ? new PullError("timeout", `The server did not answer within ${testMs / 1000} seconds.`)
            : error;
        if (!(why instanceof PullError)) throw error;
        const hostKey = why instanceof HostKeyError ? why.hostKey : null;
        return { ...passed, ok: false, error: { code: why.code, message: why.message }, hostKey };
      }
    });
  },
});

const passed = {
  ok: true,
  error: null,
  columns: [] as string[],
  rows: [] as string[][],
  hostKey: null as z.output<typeof hostKeySchema> | null,
  files: [] as string[],
};

const noPause = async () => undefined;

async function storedSecret(
  ctx: Ctx,
  connectorId: Id<"con">,
  settings: Record<string, unknown>,
): Promise<string | null> {
  const connector = await loadConnector(ctx, connectorId);
  if (serverOf(connector.settings) !== serverOf(settings)) return null;
  const [row] = await reading(ctx).sql<{ secret: Buffer | null }>(
    `SELECT secret FROM connectors WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, connectorId],
  );
  return openSecret(connectorId, row!.secret);
}
