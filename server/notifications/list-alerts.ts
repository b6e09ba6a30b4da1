import { z } from "zod";
import { reading } from "@/server/core/db";
import { env } from "@/server/core/env";
import { readId } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { anyScope } from "@/server/core/scopes";
import { letterOf, pathOf, type Notice } from "./letter";

/** unsent: the person's address was not verified, or no mail server was configured, when the alert was due. */
export const alertStates = ["pending", "sent", "failed", "unsent"] as const;

/** The most alerts that are listed. */
const listed = 100;

type Row = Notice & { state: (typeof alertStates)[number]; created_at: Date };

/** Lists the newest alerts to the caller as an owner or admin, whether they were sent by e-mail or not. They are kept for 30 days. */
export const listAlertsToMe = query({
  name: "notifications.list",
  scope: anyScope,
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<Row>(
      `SELECT n.kind, n.facts, n.state, n.created_at, o.name AS organisation, json_build_object('timeZone', o.time_zone, 'locale', o.locale) AS region
       FROM notifications n JOIN organisations o ON o.id = n.org_id
       WHERE n.org_id = $1 AND n.user_id = $2 ORDER BY n.created_at DESC, n.dedupe_key LIMIT ${listed}`,
      [ctx.orgId, readId("usr", ctx.actor.id)],
    );
    return { data: rows.map(alertView) };
  },
});

function alertView(row: Row) {
  const { subject, text } = letterOf(row, env().PUBLIC_URL);
  return {
    kind: row.kind,
    subject,
    text,
    /** The page of the console that the alert is about. */
    path: pathOf(row),
    state: row.state,
    createdAt: row.created_at.toISOString(),
  };
}
