import { sequencer } from "@/server/consumers";
import type { AutomaticKind } from "@/server/message-texts/kinds";
import type { messageSettings } from "@/server/message-texts/settings";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import type { z } from "zod";

/** Creates an organisation with a template that has these automatic messages. */
export async function withMessages(
  automatic: readonly AutomaticKind[],
  more: Omit<z.input<typeof messageSettings>, "automatic"> = {},
) {
  const home = await world();
  await sql(`UPDATE organisations SET name = 'Example University' WHERE id = $1`, [home.orgId]);
  const token = await home.key();
  const template = await publishedTemplate(home.ctx, { name: "Student card" });
  const request = (method: "GET" | "POST" | "PATCH" | "PUT", path: string, body?: object) =>
    call(method, path, { token, ...(body && { body }) });
  const set = await request("PATCH", `/v1/templates/${template.id}`, { messages: { automatic, ...more } });
  if (set.status !== 200) throw new Error(set.text);
  let people = 0;
  return {
    home,
    template,
    request,
    /** Issues a credential and runs the sequencer, which queues the messages. */
    async issue(subject: object = {}, terms: object = {}) {
      const given = { externalId: `s-${++people}`, displayName: "Ada Lovelace", email: "ada@example.edu", ...subject };
      const made = await request("POST", "/v1/credentials", { subject: given, templateId: template.id, ...terms });
      if (made.status !== 201) throw new Error(made.text);
      await sequencer().drain();
      return made.json<{ id: string; subjectId: string; verifyUrl: string }>();
    },
    /** Changes a credential and runs the sequencer, which queues the messages. */
    async change(id: string, action: "suspend" | "resume" | "revoke" | "reissue" | null, body: object = {}) {
      const answer = await (action
        ? request("POST", `/v1/credentials/${id}/${action}`, body)
        : request("PATCH", `/v1/credentials/${id}`, body));
      if (answer.status >= 300) throw new Error(answer.text);
      await sequencer().drain();
      return answer.json<{ id: string }>();
    },
    outbox: async (query = "") =>
      (await request("GET", `/v1/messages${query}`)).json<{ data: Record<string, unknown>[] }>().data,
  };
}
