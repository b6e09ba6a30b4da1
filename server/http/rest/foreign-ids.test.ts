import { beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { idPrefixes, newPublicId, type IdPrefix } from "@/server/core/ids";
import { scopes } from "@/server/core/scopes";
import { describedRoutes } from "@/server/http/openapi/document";
import { unzipped } from "@/server/badges/testing/unzipped";
import { call } from "@/server/testing/request";
import { publishedTemplate } from "@/server/testing/credentials";
import { idInPath, resourcesOf, type Resources } from "@/server/testing/resources";
import { world, type World } from "@/server/testing/world";
import { scimConnector } from "@/server/scim/testing/connection";
import { createTemplate } from "@/server/templates/create";

// Contract section 1: an id of another organisation answers exactly as one that does not exist, also in a body and in
// a query. every-route.test.ts does the same for ids in paths.

const routes = describedRoutes();

/** The collection of resources.ts that holds the ids with a prefix. */
const collections: Partial<Record<IdPrefix, string>> = {
  sub: "subjects",
  grp: "groups",
  tpl: "templates",
  ach: "achievements",
  crd: "credentials",
  con: "connectors",
  whe: "webhook_endpoints",
  evt: "events",
  dlv: "webhook_deliveries",
  clk: "claim_links",
  clm: "claims",
  msg: "messages",
  run: "runs",
  plr: "policy_runs",
  pol: "policies",
  blk: "bulk",
  key: "tokens",
  ncf: "name_confirmations",
};

/** A body or query with the tested id, next to ids of the caller's own organisation. */
type Body = (given: string, own: Resources) => Record<string, unknown>;

interface Try {
  prefix: IdPrefix;
  body: Body;
  /** The collection of the tested ids, if it is not the one of the prefix. */
  from?: string;
  /** The collection of the id in the path, if it is not the one of the path. */
  at?: string;
  /** Why an id of the caller's own organisation gets the same answer here. */
  ownIsRefused?: string;
}

/** A request for each field of a body or query that takes an id, as "METHOD path /field". */
const requests: Record<string, Try> = {};
function tries(prefix: IdPrefix, fields: string[], body?: Body, more: Partial<Try> = {}): void {
  for (const field of fields)
    requests[field] = { prefix, body: body ?? ((given) => ({ [field.split("/").at(-1)!]: given })), ...more };
}
const query = (name: string) => (path: string) => `GET /v1/${path} /${name}`;
const listed = (given: string) => ({ ids: [given] });

tries("sub", ["credentials", "credentials/export", "messages"].map(query("subjectId")));
tries("sub", ["name_confirmations"].map(query("subjectId")), undefined, { from: "confirmed_subjects" });
tries("sub", [query("resourceId")("events"), query("relatedTo")("events")]);
tries("grp", ["subjects", "subjects/export"].map(query("groupId")));
tries("tpl", ["credentials", "credentials/counts", "credentials/export", "messages"].map(query("templateId")));
tries("tpl", ["subjects/{id}/credentials"].map(query("templateId")));
tries("ncf", ["messages"].map(query("nameConfirmationId")));
tries("tpl", ["name_confirmations"].map(query("templateId")), undefined, { from: "confirmed_templates" });
tries("tpl", ["policies"].map(query("templateId")), undefined, { from: "policy_templates" });
tries("clk", ["claims"].map(query("claimLinkId")));
tries("crd", ["messages"].map(query("credentialId")));
tries("whe", ["webhook_deliveries"].map(query("endpointId")));
tries("evt", ["webhook_deliveries", "webhook_endpoints/{id}/deliveries"].map(query("eventId")));

tries("sub", ["POST /v1/credentials /subject/id"], (id, own) => ({
  subject: { id },
  templateId: own["templates"],
  ifExists: "return",
}));
tries("tpl", ["POST /v1/credentials /templateId"], (templateId) => ({ subject: { externalId: "s-2" }, templateId }));
tries("ach", ["POST /v1/credentials /achievementId"], (achievementId, own) => ({
  subject: { externalId: "s-1" },
  templateId: own["degrees"],
  achievementId,
}));
tries("sub", ["POST /v1/credentials/bulk /items/0/subject/id"], (id, own) => ({
  action: "issue",
  items: [{ subject: { id }, templateId: own["templates"], ifExists: "return" }],
}));
tries("tpl", ["POST /v1/credentials/bulk /items/0/templateId"], (templateId) => ({
  action: "issue",
  items: [{ subject: { externalId: "s-3" }, templateId }],
}));
tries("crd", ["POST /v1/credentials/bulk /items/0/id"], (id) => ({ action: "suspend", items: [{ id }] }));
tries("crd", ["POST /v1/credentials/archive /ids/0"], (id) => ({ ids: [id], formats: ["json"] }));
tries("sub", ["POST /v1/credentials/archive /subjectId"], (subjectId) => ({ subjectId, formats: ["json"] }));
tries("tpl", ["POST /v1/credentials/archive /templateId"], (templateId) => ({ templateId, formats: ["json"] }), {
  from: "degrees",
});
tries("tpl", ["POST /v1/claim_links /templateId"], (templateId) => ({ templateId, name: "Open day" }));
tries("clm", ["POST /v1/claims/reject /ids/0"], (id) => ({ ids: [id], reason: "Unknown" }));
tries("clm", ["POST /v1/claims/approve /ids/0"], listed);
tries("con", ["POST /v1/connectors/preview /connectorId"], (connectorId) => ({ connectorId, content: "id\ns-1\n" }));
tries("con", ["POST /v1/connectors/test /connectorId"], (connectorId) => ({
  connectorId,
  settings: { url: "http://127.0.0.1:49151/" },
}));
const nothingStaged = { at: "directories", ownIsRefused: "Nothing is staged: server/scim/removals has the tests." };
for (const decision of ["approve", "discard"]) {
  const field = (name: string) => [`POST /v1/connectors/{id}/staged/${decision} ${name}`];
  tries("sub", field("/ids/0"), listed, nothingStaged);
  tries(
    "sub",
    field("/removals/0/subjectId"),
    (subjectId, own) => ({ removals: [{ subjectId, groupId: own["groups"] }] }),
    nothingStaged,
  );
  tries(
    "grp",
    field("/removals/0/groupId"),
    (groupId, own) => ({ removals: [{ subjectId: own["subjects"], groupId }] }),
    nothingStaged,
  );
}
tries("dlv", ["POST /v1/webhook_deliveries/resend /ids/0"], listed);
tries(
  "sub",
  ["POST /v1/groups/{id}/members /subjectIds/0", "POST /v1/groups/{id}/members/remove /subjectIds/0"],
  (id) => ({ subjectIds: [id] }),
);
const ofGroup = (id: string) => ({ field: "groups", op: "contains", value: id });
tries("grp", ["POST /v1/groups /rule/value"], (id) => ({ name: "Rule", rule: ofGroup(id) }));
tries("grp", ["POST /v1/policies /rule/value"], (id, own) => ({
  name: "By rule",
  templateId: own["templates"],
  rule: ofGroup(id),
}));
tries("tpl", ["POST /v1/policies /templateId"], (templateId, own) => ({
  name: "By template",
  templateId,
  groupId: own["groups"],
}));
tries("grp", ["POST /v1/policies /groupId"], (groupId, own) => ({
  name: "By group",
  templateId: own["templates"],
  groupId,
}));
tries("grp", ["PATCH /v1/policies/{id} /groupId"]);
tries("ach", ["POST /v1/templates /achievementId"], (achievementId) => ({
  name: "Degree",
  kind: "academic",
  achievementId,
}));
tries("ach", ["POST /v1/templates/{id}/versions /achievementId"], undefined, { at: "degrees" });
tries("ach", ["PATCH /v1/templates/{id}/versions/{version} /achievementId"], undefined, { at: "drafts" });

type Def = { type: string; [part: string]: unknown };

/**
 * Returns the fields of a schema that take ids, as paths. Rules and the rows of a bulk request are read separately from
 * the schema, so their requests are added by hand.
 */
function idFields(schema: z.ZodType, at = ""): string[] {
  if (idPrefixes.some((prefix) => takesId(schema, prefix))) return [at];
  const def = (schema as unknown as { _zod: { def: Def } })._zod.def;
  const within = (part: unknown, path = at) => idFields(part as z.ZodType, path);
  if (def.type === "object")
    return Object.entries(def["shape"] as object).flatMap(([field, part]) => within(part, `${at}/${field}`));
  if (def.type === "array") return within(def["element"], `${at}/0`);
  if (def.type === "union") return (def["options"] as unknown[]).flatMap((part) => within(part));
  if (def.type === "pipe") return within(def["in"]);
  return def["innerType"] ? within(def["innerType"]) : [];
}

/** Whether a schema reads ids with this prefix: it turns them into UUIDs. */
function takesId(schema: z.ZodType, prefix: IdPrefix): boolean {
  const { data } = schema.safeParse(newPublicId(prefix));
  return [data].flat().every((read) => typeof read === "string" && /^[0-9a-f]{8}-/.test(read));
}

let token: string;
let own: Resources;
let foreign: Resources;
beforeAll(async () => {
  const [mine, other] = [await world(), await world()];
  token = await mine.key(...scopes);
  own = await everything(mine);
  foreign = await everything(other);
});

async function everything(w: World): Promise<Resources> {
  const made = await resourcesOf(w);
  const reader = await w.key(...scopes);
  const read = async (path: string) => (await call("GET", path, { token: reader })).json<Record<string, string>>();
  const confirmation = await read(`/v1/name_confirmations/${made["name_confirmations"]}`);
  return {
    ...made,
    policy_templates: (await read(`/v1/policies/${made["policies"]}`))["templateId"]!,
    confirmed_subjects: confirmation["subjectId"]!,
    confirmed_templates: confirmation["templateId"]!,
    degrees: (await publishedTemplate(w.ctx, { kind: "academic" })).id,
    drafts: (await createTemplate(w.ctx, { name: "Draft", kind: "academic" })).id,
    directories: (await scimConnector(w.ctx)).id,
  };
}

it("every field of a body or query of /v1 that takes an id is tested here", () => {
  const found = routes.flatMap(({ method, path, spec }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `/${name}`);
    return idFields(spec.operation.operation.input)
      .filter((field) => !inPath.includes(field))
      .map((field) => `${method} ${path} ${field}`);
  });
  expect([...new Set(found)].filter((field) => !requests[field])).toEqual([]);
});

/** What an archive holds. Its own bytes tell the time. */
const indexOf = async (archive: Uint8Array) => (await unzipped(archive)).get("index.csv")!.toString();

it.each(Object.entries(requests))(
  "an id of another organisation is answered as an unknown one: %s",
  async (field, { prefix, body, from = collections[prefix]!, at, ownIsRefused }) => {
    const [method, path] = field.split(" ") as [string, string];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === "version" ? "1" : at ? own[at]! : idInPath(own, path, name)!,
    );
    const ask = async (id: string) => {
      const sent = body(id, own);
      const answer =
        method === "GET"
          ? await call(method, `${filled}?${new URLSearchParams(sent as Record<string, string>)}`, { token })
          : await call(method, filled, { token, body: sent });
      const text = answer.headers.get("content-type") === "application/zip" ? await indexOf(answer.bytes) : answer.text;
      return [answer.status, text.replaceAll(id, "<id>").replace(/"requestId":"\w+"/, "")];
    };
    const unknown = await ask(newPublicId(prefix));
    expect(await ask(foreign[from]!)).toEqual(unknown);
    // Otherwise both may be refused because of something else in the request.
    if (!ownIsRefused) expect(await ask(own[from]!)).not.toEqual(unknown);
  },
);
