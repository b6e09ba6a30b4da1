import pg from "pg";
import { createApiKey } from "@/server/access/create-api-key";
import type { Ctx } from "@/server/core/context";
import { closeDb } from "@/server/core/db";
import { newPublicId, noOrganisation, publicId, readId, type Id } from "@/server/core/ids";
import { personScopes, scopes } from "@/server/core/scopes";
import { issueCredential } from "@/server/credentials/issue";
import { createOrganisation } from "@/server/organisations/create";
import { createPolicy } from "@/server/policies/create";
import { createTemplate } from "@/server/templates/create";
import type { BenchmarkSetup } from "./benchmark";
import { startServer } from "./processes";

const holders = 150_000;
const credentials = 1000;
const bulkTemplates = 3;
const revocableTemplates = 3;
const revocable = 20_000;
const policyTemplates = 3;
/** Two of three holders (fillHolders). */
const policyPeople = (holders * 2) / 3;

/**
 * Creates an organisation with a key, a template, subjects and credentials, two copies of its database, and a server on
 * one of the copies.
 */
export async function setUp(databaseUrl: string): Promise<BenchmarkSetup & { close(): Promise<void> }> {
  const { orgId, token, templateId: storedTemplate } = await organisation("benchmark");
  const templateId = publicId("tpl", storedTemplate);
  const ctx = context(orgId);
  const large = await organisation("large");
  const codes: string[] = [];
  for (let n = 0; n < credentials; n++) {
    const subject = { externalId: `student-${n}`, displayName: `Student ${n}`, email: `student-${n}@example.edu` };
    codes.push((await issueCredential(ctx, { subject, templateId })).credential.code);
  }
  const bulkTemplateIds: string[] = [];
  for (let n = 0; n < bulkTemplates; n++)
    bulkTemplateIds.push(
      (await createTemplate(ctx, { name: `Bulk ${n}`, kind: "student_id", design, publish: true })).id,
    );
  const revocableIds: { id: string; versionId: string }[] = [];
  for (let n = 0; n < revocableTemplates; n++) {
    const { id, version } = await createTemplate(ctx, {
      name: `Revocable ${n}`,
      kind: "student_id",
      design,
      publish: true,
    });
    revocableIds.push({ id, versionId: version.id });
  }
  const policyIds: string[] = [];
  for (let n = 0; n < policyTemplates; n++) {
    const { id } = await createTemplate(ctx, { name: `Policy ${n}`, kind: "student_id", design, publish: true });
    const rule = { field: "attributes.year", op: "in", value: [11, 12] };
    policyIds.push((await createPolicy(ctx, { name: `Policy ${n}`, templateId: id, rule })).id);
  }
  const fresh = await organisation("fresh");
  const { id: freshPolicy } = await createPolicy(context(fresh.orgId), {
    name: "Mathematicians",
    templateId: publicId("tpl", fresh.templateId),
    rule: { field: "attributes.programme", op: "eq", value: "Mathematics" },
  });
  await closeDb();
  // Uses a separate connection, because the connections of requests cancel a statement that takes longer than a request
  // may.
  const filling = new pg.Client({ connectionString: databaseUrl });
  await filling.connect();
  await filling.query(fillHolders, [orgId, holders]);
  for (const { id, versionId } of revocableIds)
    await filling.query(fillRevocable, [orgId, readId("tpl", id), readId("tpv", versionId), revocable]);
  await filling.query("VACUUM ANALYZE");
  await filling.end();
  const [servedUrl, bareUrl] = [await copy(databaseUrl, "served"), await copy(databaseUrl, "bare")];
  const server = await startServer(servedUrl);
  return {
    server,
    servedUrl,
    bareUrl,
    orgId,
    token,
    templateId,
    holders,
    bulkTemplateIds,
    revocable: { templateIds: revocableIds.map(({ id }) => id), credentials: revocable },
    policies: { ids: policyIds, people: policyPeople },
    codes,
    large,
    fresh: { ...fresh, policyId: freshPolicy },
    close: server.stop,
  };
}

export async function organisation(slug: string) {
  const organisation = await createOrganisation(context(noOrganisation), { name: "Benchmark University", slug });
  const orgId = readId("org", organisation.id);
  const { secret: token } = await createApiKey(context(orgId), { name: "benchmark" });
  return { orgId, token, ...(await publishTemplate(orgId, "Student ID")) };
}

/** Makes a template with a published version. */
export async function publishTemplate(orgId: Id<"org">, name: string) {
  const { id, version } = await createTemplate(context(orgId), { name, kind: "student_id", design, publish: true });
  return { templateId: readId("tpl", id), templateVersionId: readId("tpv", version.id) };
}

const design = {
  front: {
    fields: [
      { key: "name", binding: "subject.displayName" },
      { key: "number", label: "Student no.", binding: "subject.externalId" },
    ],
  },
  publicFields: ["name", "number"],
};

/** Their years are 10 to 12, which no person has whom another benchmark writes (upsertCalls): policies name years 11 and 12. */
const fillHolders = `
INSERT INTO subjects (org_id, id, external_id, display_name, email, attributes)
SELECT $1, uuidv7(), 'holder-' || n, 'Holder ' || n, 'holder-' || n || '@example.edu', jsonb_build_object('programme', 'Mathematics', 'year', 10 + n % 3)
FROM generate_series(0, $2::int - 1) AS n`;

const fillRevocable = `
INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, source_type)
SELECT $1, uuidv7(), upper(right(replace(gen_random_uuid()::text, '-', ''), 16)), id, $2, $3, 'student_id', 'active', now(), now(), 'api'
FROM subjects WHERE org_id = $1 ORDER BY id LIMIT $4`;

export function context(orgId: Id<"org">): Ctx {
  return {
    orgId,
    actor: { type: "operator", id: "benchmark" },
    scopes: new Set([...scopes, ...personScopes]),
    requestId: newPublicId("req"),
    now: new Date(),
  };
}

/** Copies a database under another name on the same server. Nobody may be connected to the original. */
export async function copy(databaseUrl: string, name: string): Promise<string> {
  const original = new URL(databaseUrl);
  const target = new URL(databaseUrl);
  target.pathname = `/${name}`;
  const maintenance = new URL(databaseUrl);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${original.pathname.slice(1)}`);
  await client.end();
  return target.href;
}
