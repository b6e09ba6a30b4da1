import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { metadataSchema } from "@/server/core/free-json";
import { publicId, type Id } from "@/server/core/ids";
import type { AutomaticKind } from "@/server/message-texts/kinds";
import { messageSettingsSchema, messagesView, type StoredMessages } from "@/server/message-texts/settings";
import { design, type Design } from "./design";
import { versionStatuses, type VersionStatus } from "./states";
import { validity, type Validity } from "./validity";

export const templateKinds = ["membership", "employee_id", "student_id", "academic"] as const;
export type TemplateKind = (typeof templateKinds)[number];

/** A row of `templates`. */
export interface TemplateRow {
  id: Id<"tpl">;
  name: string;
  kind: TemplateKind;
  slug: string;
  status: VersionStatus;
  current_version: number | null;
  /** Whether a person can hold several live credentials of it. */
  repeatable: boolean;
  /** Whether holders confirm their name before anything is signed. */
  confirm_name: boolean;
  /** The number of the newest version. */
  latest_version: number;
  /** The caller's own data: never public, never in events. */
  metadata: Record<string, unknown>;
  /** The messages that holders get automatically. */
  message_kinds: AutomaticKind[];
  expiring_days: number;
  messages: StoredMessages;
  created_at: Date;
  updated_at: Date;
}
export const templateColumns =
  "id, name, kind, slug, status, current_version, repeatable, confirm_name, latest_version, metadata, message_kinds, expiring_days, messages, created_at, updated_at";

/** A row of `template_versions` without its design. */
export interface VersionSummaryRow {
  id: Id<"tpv">;
  template_id: Id<"tpl">;
  version: number;
  status: VersionStatus;
  validity: Validity;
  achievement_id: Id<"ach"> | null;
  published_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}
export interface VersionRow extends VersionSummaryRow {
  design: Design;
}
export const versionSummaryColumns =
  "id, template_id, version, status, validity, achievement_id, published_at, archived_at, created_at, updated_at";
export const versionColumns = `${versionSummaryColumns}, design`;

const time = z.iso.datetime();

export const versionSummarySchema = z
  .object({
    id: z.string(),
    object: z.literal("template_version"),
    templateId: z.string(),
    version: z.int().meta({ description: "1, 2, 3, …" }),
    status: z.enum(versionStatuses),
    validity,
    achievementId: z.string().nullable().meta({ description: "The achievement that academic credentials state." }),
    publishedAt: time.nullable(),
    archivedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "TemplateVersionSummary" });

export const versionSchema = versionSummarySchema.extend({ design }).meta({ id: "TemplateVersion" });

export const templateSchema = z
  .object({
    id: z.string(),
    object: z.literal("template"),
    name: z.string(),
    kind: z.enum(templateKinds),
    slug: z.string(),
    status: z
      .enum(versionStatuses)
      .meta({ description: "published while a version is current; archived once none is and one was." }),
    currentVersion: z.int().nullable().meta({ description: "The version that new credentials use." }),
    latestVersion: z.int().meta({ description: "The newest version, which may be a draft." }),
    repeatable: z.boolean().meta({
      description:
        "Whether a person can hold several live credentials of it, such as a prize that is won twice. Fixed at the first publication.",
    }),
    confirmName: z.boolean().meta({ description: "Whether holders confirm their name before a credential is issued." }),
    messages: messageSettingsSchema.meta({ description: "E-mails to the holders of its credentials." }),
    metadata: metadataSchema,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Template" });

export const templateWithVersionSchema = templateSchema.extend({ version: versionSchema }).meta({
  id: "TemplateWithVersion",
  description: "With the current version; where none is current, with the newest.",
});

export function templateView(row: TemplateRow): z.output<typeof templateSchema> {
  return {
    id: publicId("tpl", row.id),
    object: "template",
    name: row.name,
    kind: row.kind,
    slug: row.slug,
    status: row.status,
    currentVersion: row.current_version,
    latestVersion: row.latest_version,
    repeatable: row.repeatable,
    confirmName: row.confirm_name,
    messages: { ...messagesView(row.messages), automatic: row.message_kinds, expiringDays: row.expiring_days },
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * The ETag of a template: it covers the template's own fields and which version is the newest, so that a new draft is
 * not deleted unseen. What a version holds has an ETag of its own.
 */
export function templateTag(view: z.output<typeof templateSchema>): string {
  return entityTag(view, ["updatedAt", "version"]);
}

export function versionSummaryView(row: VersionSummaryRow): z.output<typeof versionSummarySchema> {
  return {
    id: publicId("tpv", row.id),
    object: "template_version",
    templateId: publicId("tpl", row.template_id),
    version: row.version,
    status: row.status,
    validity: row.validity,
    achievementId: publicId("ach", row.achievement_id),
    publishedAt: row.published_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function versionView(row: VersionRow): z.output<typeof versionSchema> {
  return { ...versionSummaryView(row), design: row.design };
}

export function versionTag(view: z.output<typeof versionSchema>): string {
  return entityTag(view, ["updatedAt"]);
}

/** The facts of a version that events carry. */
export function versionFactsOf(template: TemplateRow, row: VersionSummaryRow) {
  return {
    object: "template_version" as const,
    id: publicId("tpv", row.id),
    templateId: publicId("tpl", row.template_id),
    name: template.name,
    version: row.version,
    status: row.status,
  };
}
