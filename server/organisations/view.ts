import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { messageDefaultsSchema, messagesView, type StoredMessages } from "@/server/message-texts/settings";

/** A row of organisations, as raw SQL returns it. */
export interface OrganisationRow {
  id: Id<"org">;
  name: string;
  slug: string;
  time_zone: string;
  locale: string;
  name_confirmed: boolean;
  messages: StoredMessages;
  created_at: Date;
  updated_at: Date;
}

export const organisationColumns =
  "id, name, slug, time_zone, locale, coalesce(confirmed_name = name, false) AS name_confirmed, messages, created_at, updated_at";

export const organisationSchema = z
  .object({
    id: z.string(),
    object: z.literal("organisation"),
    name: z.string(),
    slug: z.string().meta({ description: "Part of addresses that others keep; never changes." }),
    timeZone: z.string().meta({
      description: "An IANA time zone such as Europe/Berlin. Days on screens, cards and in e-mails are days in it.",
    }),
    locale: z.string().meta({ description: "A BCP 47 locale such as en-GB: how dates are written." }),
    nameConfirmed: z.boolean().meta({
      description:
        "The operator of this service has confirmed that the organisation bears its name; verifiers are told so. A new name is unconfirmed.",
    }),
    messages: messageDefaultsSchema.meta({
      description: "E-mails to holders: what holds where a template says nothing else.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Organisation" });

export function organisationView(row: OrganisationRow): z.output<typeof organisationSchema> {
  return {
    id: publicId("org", row.id),
    object: "organisation",
    name: row.name,
    slug: row.slug,
    timeZone: row.time_zone,
    locale: row.locale,
    nameConfirmed: row.name_confirmed,
    messages: messagesView(row.messages),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Computes the ETag of an organisation. */
export function organisationTag(view: z.output<typeof organisationSchema>): string {
  return entityTag(view, ["updatedAt"]);
}
