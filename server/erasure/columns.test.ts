import { expect, it } from "vitest";
import type { z } from "zod";
import { catalogue } from "@/server/events/catalogue";
import { sql } from "@/server/testing/sql";
import { personalFields } from "./blank-events";
import { columns } from "./columns";

it("every column of text, JSON or bytes declares what erasure does with it", async () => {
  const rows = await sql<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = table_name::regclass)
       AND data_type !~ '^(timestamp|date|time|interval|integer|bigint|smallint|boolean|double|real|numeric|uuid)'`,
  );
  const listed = Object.entries(columns).flatMap(([table, each]) =>
    Object.keys(each).map((column) => `${table}.${column}`),
  );
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

/** Fields of subject and credential events that hold no personal data: ids, codes, states and times. */
const impersonal = new Set([
  "object",
  "id",
  "code",
  "kind",
  "state",
  "status",
  "subjectId",
  "credentialId",
  "templateId",
  "templateVersionId",
  "issuedAt",
  "expiresAt",
  "suspendedAt",
  "revokedAt",
  "erasedAt",
  "photoUpdatedAt",
  "photoStatus",
  "createdAt",
  "updatedAt",
  "supersedes",
  "supersededBy",
  "result",
  "reason",
  "via",
  "channel",
  "count",
  "type",
  // The error of a channel: a text of the service, see server/events/facts.ts.
  "error",
]);

it("every field of subject and credential events is blanked or listed as impersonal", () => {
  const fields = Object.entries(catalogue).flatMap(([type, { object }]) =>
    /^(subject|credential)\./.test(type) ? Object.keys((object as z.ZodObject).shape) : [],
  );
  expect([...new Set(fields)].filter((field) => !(field in personalFields) && !impersonal.has(field))).toEqual([]);
});
