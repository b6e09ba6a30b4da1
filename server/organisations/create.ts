import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { canonicalLocale, defaultRegion, isTimeZone } from "@/server/core/dates";
import { insertKeys } from "@/server/issuers/signing-key";
import { insertLanes } from "@/server/issuers/status/claim";
import { organisationColumns, organisationView, type OrganisationRow } from "./view";

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be the name of an IANA time zone, such as Europe/Berlin")
  .meta({
    description:
      "An IANA time zone such as Europe/Berlin. Instants that are stored stay; the days shown for them are days in this zone.",
  });

const locale = z
  .string()
  .max(35)
  .refine(
    (tag) => canonicalLocale(tag) !== undefined,
    "must be a BCP 47 locale that dates can be written in, such as en-GB",
  )
  .transform((tag) => canonicalLocale(tag) ?? tag)
  .meta({ description: "A BCP 47 locale such as en-GB." });

export const organisationInput = z.strictObject({
  name: line(200).min(1, "must not be empty"),
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits and hyphens, at most 63"),
  timeZone: timeZone.optional(),
  locale: locale.optional(),
});

/** Creates an organisation, with a confirmed name. Operator only. Leaves the first entry of its audit log. */
export const createOrganisation = command({
  name: "organisations.create",
  scope: "settings:write",
  input: organisationInput,
  run: async (ctx, input) => organisationView(await writeOrganisation(ctx, input)),
});

/** Creates an organisation without checking a scope, for the first setup, which a one-time link authorises. */
export async function writeOrganisation(
  ctx: TxCtx,
  input: z.output<typeof organisationInput>,
): Promise<OrganisationRow> {
  const id = newId("org");
  const [made] = await ctx.tx.sql<OrganisationRow>(
    `INSERT INTO organisations (id, name, confirmed_name, slug, time_zone, locale, created_at, updated_at) VALUES ($1, $2, $2, $3, $5, $6, $4, $4) ON CONFLICT (slug) DO NOTHING RETURNING ${organisationColumns}`,
    [
      id,
      input.name,
      input.slug,
      ctx.now,
      input.timeZone ?? defaultRegion.timeZone,
      input.locale ?? defaultRegion.locale,
    ],
  );
  if (!made)
    throw new DomainError(
      "slug_taken",
      `The slug ${JSON.stringify(input.slug)} belongs to another organisation. Choose another.`,
    );
  await insertKeys(ctx.tx.sql, { orgId: id, now: ctx.now }, "ed25519");
  await insertLanes(ctx.tx, id);
  await audit(
    { ...ctx, orgId: id },
    "organisation.created",
    { type: "organisation", id: publicId("org", id) },
    { name: input.name, slug: input.slug },
  );
  return made;
}
