import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readId } from "@/server/core/ids";
import { publicReason } from "@/server/credentials/input";
import { externalId } from "@/server/subjects/external-id";
import { subjectFields } from "@/server/subjects/input";
import { templateName } from "@/server/templates/input";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { endpointFields } from "@/server/webhooks/endpoints/input";
import { maxBytes } from "./append";
import { catalogue, eventTypes, type EventType } from "./catalogue";
import { sampleEvent } from "./samples";

interface Schema {
  type?: string;
  const?: string;
  enum?: string[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema;
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const largestOf = (values: unknown[]) => values.reduce((most, value) => (bytes(value) > bytes(most) ? value : most));

/**
 * Characters of different sizes in JSON: a control character, a lone surrogate, three bytes, an escaped quote, one
 * byte.
 */
const characters = ["\u0001", "\ud800", "漢", '"', "x"];

/** The value with the most bytes that a schema allows. Throws if the schema has no limit. */
function largest(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return largestOf(schema.enum);
  if (schema.anyOf) return largestOf(schema.anyOf.map(largest));
  if (schema.type === "null") return null;
  if (schema.type === "integer") return Number.MIN_SAFE_INTEGER;
  if (schema.format === "date-time") return new Date().toISOString();
  if (schema.type === "string" && schema.maxLength !== undefined) {
    const allowed = characters.filter((character) => new RegExp(schema.pattern ?? "", "u").test(character));
    return (largestOf(allowed) as string).repeat(schema.maxLength);
  }
  if (schema.type === "array" && schema.maxItems !== undefined)
    return Array.from({ length: schema.maxItems }, () => largest(schema.items!));
  const { properties, propertyNames, additionalProperties } = schema;
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, largest(each)]));
  if (propertyNames?.enum)
    return Object.fromEntries(propertyNames.enum.map((name) => [name, largest(additionalProperties!)]));
  throw new Error(`There is no largest value of ${JSON.stringify(schema)}`);
}

function largestEvent(type: EventType) {
  const object = largest(z.toJSONSchema(catalogue[type].object) as Schema) as Record<string, unknown>;
  const { id: _, object: __, ...previous } = object;
  const { test: ___, ...event } = sampleEvent(type, readId("org", "org_01k4awz8x7c6v5b4n3m2k1j0hg"), new Date());
  return {
    ...event,
    sequence: Number.MAX_SAFE_INTEGER,
    actor: { type: "oauth_client", id: "ocl_01k4awz8x7c6v5b4n3m2k1j0hg" },
    data: { object, previous },
  };
}

describe("the largest event of a type, with all its previous fields, is under 20 KB:", () => {
  it.each(eventTypes)("%s", (type) => {
    expect(bytes(largestEvent(type))).toBeLessThan(maxBytes);
  });
});

describe("the longest values that operations accept fit into events:", () => {
  const longest = (schema: { maxLength: number | null }, character = "漢") => character.repeat(schema.maxLength!);
  let w: World;
  let token: string;
  beforeAll(async () => {
    w = await world();
    token = await w.key();
  });
  async function expectDone(method: string, path: string, body: object): Promise<{ id: string }> {
    const answer = await call(method, path, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} was refused: ${answer.text}`);
    return answer.json();
  }

  it("endpoints with every field changed", async () => {
    const description = endpointFields.description.unwrap();
    const body = (letter: string, cjk: string) => ({
      url: `https://example.edu/${letter.repeat(1980)}`,
      description: longest(description, cjk),
      eventTypes: letter === "a" ? eventTypes : [],
      headers: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`${letter}${String(i).padStart(2, "0")}${"h".repeat(97)}`, "v"]),
      ),
    });
    const { id } = await expectDone("POST", "/v1/webhook_endpoints", body("a", "漢"));
    const before = Object.fromEntries(Object.keys(body("a", "漢").headers).map((name) => [name, null]));
    const after = body("b", "字");
    await expectDone("PATCH", `/v1/webhook_endpoints/${id}`, { ...after, headers: { ...before, ...after.headers } });
  });

  it("subjects, credentials and their reasons, templates", async () => {
    const email = `${"e".repeat(308)}@example.edu`;
    const fields = (character: string) => ({
      externalId: longest(externalId, character),
      displayName: longest(subjectFields.displayName.unwrap(), character),
    });
    const subject = await expectDone("PUT", "/v1/subjects", { ...fields("漢"), email });
    await expectDone("PATCH", `/v1/subjects/${subject.id}`, { ...fields("字"), email: null });
    const template = await publishedTemplate(w.ctx, { name: longest(templateName) });
    const credential = await expectDone("POST", "/v1/credentials", {
      subject: { id: subject.id },
      templateId: template.id,
    });
    await expectDone("POST", `/v1/credentials/${credential.id}/suspend`, { reason: longest(publicReason) });
    await expectDone("POST", `/v1/credentials/${credential.id}/revoke`, { reason: longest(publicReason) });
    await expectDone("PATCH", `/v1/subjects/${subject.id}`, { ...fields("漢"), email, status: "inactive" });
    const sizes = (await eventsOf(w.orgId)).map((event) => bytes(event));
    expect(Math.max(...sizes)).toBeLessThan(maxBytes);
  });
});
