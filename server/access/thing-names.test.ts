import { expect, test } from "vitest";
import { Feed } from "@/server/connectors/testing/feed";
import { createGroup } from "@/server/groups/create";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { thingNames } from "./thing-names";

test("names groups, connectors, endpoints and holders of credentials only to callers who may read them, and nothing of other organisations", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const template = await publishedTemplate(w.ctx);
  const held = await issued(w.ctx, template.id);
  const erased = await issued(w.ctx, template.id);
  await eraseSubject(w.ctx, { id: erased.subjectId, reason: "asked for" });
  const group = await createGroup(w.ctx, { name: "Choir" });
  const connector = await Feed.open(w);
  const endpoint = await createWebhookEndpoint(w.ctx, { url: "http://127.0.0.1:4000/hook" });
  const foreign = await createGroup(other.ctx, { name: "Elsewhere" });

  const ids = [held.id, erased.id, group.id, connector.id, endpoint.id, foreign.id, "nothing"];
  const named = async (ctx = w.ctx) => new Map((await thingNames(ctx, { ids })).map(({ id, name }) => [id, name]));
  const things: [string, string][] = [
    [group.id, "Choir"],
    [connector.id, "Registry"],
    [endpoint.id, "http://127.0.0.1:4000/hook"],
  ];
  expect(await named()).toEqual(new Map([...things, [held.id, "Ada Lovelace"], [erased.id, "Erased person"]]));
  expect(await named(w.as("events:read", "webhooks:read"))).toEqual(new Map());
  expect(await named(w.as("events:read", "groups:read"))).toEqual(new Map([things[0]!]));
});
