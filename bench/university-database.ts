import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Organisation } from "./benchmark";

/** Fills and queries the database of the university's server, next to the server. */
export async function universityDatabase(url: string, orgId: Organisation["orgId"]) {
  const client = new pg.Client({ connectionString: url });
  // Reported by the statement that fails; at the end of a failed run the database closes the connection.
  client.on("error", () => undefined);
  await client.connect();
  const one = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, never>>(text, values)).rows[0]!;
  return {
    /** Gives the first people a credential of a template. */
    async fillRecalled(
      template: Pick<Organisation, "templateId" | "templateVersionId">,
      people: number,
    ): Promise<void> {
      await client.query(fill, [orgId, template.templateId, template.templateVersionId, people]);
    },
    /** Waits until every event has a number and every delivery was accepted. @throws if one was not */
    async untilDelivered(): Promise<void> {
      for (;;) {
        const { waiting } = await one(stillWaiting, [orgId]);
        if (!waiting) break;
        await pause(200);
      }
      const { events, accepted } = await this.counts();
      if (events !== accepted) throw new Error(`${accepted} of ${events} events were accepted`);
    },
    async counts(): Promise<{ events: number; accepted: number }> {
      const { events, accepted } = await one(
        `SELECT (SELECT count(*)::int FROM event_log WHERE org_id = $1 AND sequence > made.sequence) AS events,
           (SELECT count(*)::int FROM webhook_deliveries WHERE org_id = $1 AND sequence > made.sequence AND status = 'succeeded') AS accepted
         FROM event_log made WHERE org_id = $1 AND type = 'webhook.endpoint.created'`,
        [orgId],
      );
      return { events: events!, accepted: accepted! };
    },
    /** The mean length of an event's body as it is stored, in bytes. */
    async bodyLength(): Promise<number> {
      const { bytes } = await one("SELECT round(avg(octet_length(body)))::int AS bytes FROM events WHERE org_id = $1", [
        orgId,
      ]);
      return bytes!;
    },
    close: () => client.end(),
  };
}

// Begins at the newest delivery, since those that were sent last leave dead entries at the other end of the index.
const stillWaiting = `
SELECT EXISTS (SELECT FROM event_outbox) OR EXISTS (
  SELECT FROM (SELECT id FROM webhook_endpoints WHERE org_id = $1) e CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'pending' ORDER BY next_attempt_at DESC, id DESC LIMIT 1
  ) AS pending
) AS waiting`;

const fill = `
INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, source_type)
SELECT $1, uuidv7(), upper(right(replace(gen_random_uuid()::text, '-', ''), 16)), id, $2, $3, 'student_id', 'active', now(), now(), 'api'
FROM subjects WHERE org_id = $1 AND external_id LIKE 's-%' ORDER BY id LIMIT $4`;
