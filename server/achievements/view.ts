import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { env } from "@/server/core/env";
import { metadataSchema } from "@/server/core/free-json";
import { publicId, type Id } from "@/server/core/ids";
import { warningSchema } from "@/server/core/warning";
import { versionStatuses, type VersionStatus } from "@/server/templates/states";
import { content, contentOf, type AchievementContent } from "./content";

/** A row of `achievements`. */
export interface AchievementRow {
  id: Id<"ach">;
  name: string;
  status: VersionStatus;
  current_version: number | null;
  /** The number of the newest version. */
  latest_version: number;
  /** The caller's own data: never public, never in events. */
  metadata: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}
export const achievementColumns = "id, name, status, current_version, latest_version, metadata, created_at, updated_at";

/** A row of `achievement_versions` without its content. */
export interface VersionSummaryRow {
  id: Id<"acv">;
  achievement_id: Id<"ach">;
  version: number;
  status: VersionStatus;
  /** The name that credentials of this version state: fixed at its first publication, null before. */
  name: string | null;
  published_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}
export interface VersionRow extends VersionSummaryRow {
  content: AchievementContent;
  /** The SHA-256 of its picture; null for none. */
  image: string | null;
}
export const versionSummaryColumns =
  "id, achievement_id, version, status, name, published_at, archived_at, created_at, updated_at";
export const versionColumns = `${versionSummaryColumns}, content,
  (SELECT i.sha256 FROM achievement_images i WHERE i.org_id = achievement_versions.org_id AND i.version_id = achievement_versions.id) AS image`;

const time = z.iso.datetime();

export const versionSummarySchema = z
  .object({
    id: z.string(),
    object: z.literal("achievement_version"),
    achievementId: z.string(),
    version: z.int().meta({ description: "1, 2, 3, …" }),
    status: z.enum(versionStatuses),
    name: z.string().meta({
      description:
        "What credentials of this version state: the name that the achievement had at its first publication.",
    }),
    publishedAt: time.nullable(),
    archivedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "AchievementVersionSummary" });

export const versionSchema = versionSummarySchema
  .extend({
    ...content.shape,
    imageUrl: z.url().nullable().meta({
      description:
        "Where anyone gets its picture, once the version was published; it changes with the picture. Null for none: badges are drawn then.",
    }),
  })
  .meta({ id: "AchievementVersion" });

export const achievementSchema = z
  .object({
    id: z.string(),
    object: z.literal("achievement"),
    name: z.string(),
    status: z
      .enum(versionStatuses)
      .meta({ description: "published while a version is current; archived once none is and one was." }),
    currentVersion: z.int().nullable().meta({ description: "The version that new credentials state." }),
    latestVersion: z.int().meta({ description: "The newest version, which may be a draft." }),
    metadata: metadataSchema,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Achievement" });

export const achievementWithVersionSchema = achievementSchema
  .extend({
    templateCount: z.int().meta({
      description: "How many published templates issue credentials that state it: their current versions name it.",
    }),
    version: versionSchema,
  })
  .meta({
    id: "AchievementWithVersion",
    description: "With the current version; where none is current, with the newest.",
  });

export const archivedVersionSchema = versionSchema
  .extend({
    warnings: z.array(warningSchema).meta({
      description:
        "templates_stopped: published templates name the achievement, and nothing can be issued from them while no version of it is current.",
    }),
  })
  .meta({ id: "ArchivedAchievementVersion" });

export function achievementView(row: AchievementRow): z.output<typeof achievementSchema> {
  return {
    id: publicId("ach", row.id),
    object: "achievement",
    name: row.name,
    status: row.status,
    currentVersion: row.current_version,
    latestVersion: row.latest_version,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * The ETag of an achievement: it covers the achievement's own fields and which version is the newest, so that a new
 * draft is not deleted unseen. What a version holds has an ETag of its own.
 */
export function achievementTag(view: z.output<typeof achievementSchema>): string {
  return entityTag(view, ["updatedAt", "templateCount", "version"]);
}

/** @param name the achievement's name, which a version states until it is published */
export function versionSummaryView(row: VersionSummaryRow, name: string): z.output<typeof versionSummarySchema> {
  return {
    id: publicId("acv", row.id),
    object: "achievement_version",
    achievementId: publicId("ach", row.achievement_id),
    version: row.version,
    status: row.status,
    name: row.name ?? name,
    publishedAt: row.published_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function versionView(row: VersionRow, name: string): z.output<typeof versionSchema> {
  return {
    ...versionSummaryView(row, name),
    ...contentOf(row.content),
    imageUrl: row.image === null ? null : achievementImageUrl(row.id, row.image),
  };
}

/** The URL that names a version of an achievement in every credential that states it. */
export const achievementUrl = (id: Id<"acv">): string =>
  `${env().PUBLIC_URL}/public/achievements/${publicId("acv", id)}`;

/** The URL of a version's picture. `v` only distinguishes successive pictures of a draft for caches. */
export const achievementImageUrl = (id: Id<"acv">, sha256: string): string =>
  `${achievementUrl(id)}/image?v=${sha256.slice(0, 16)}`;

/** The ETag of a version. For If-Match it leaves out the name, which belongs to the achievement until publication. */
export function versionTag(view: z.output<typeof versionSchema>): string {
  return entityTag(view, ["updatedAt", "name", "warnings"]);
}

/** The facts of an achievement that events carry. */
export function factsOf(row: AchievementRow) {
  return { object: "achievement" as const, id: publicId("ach", row.id), name: row.name, status: row.status };
}

/** The facts of a version that events carry. */
export function versionFactsOf(achievement: AchievementRow, row: VersionSummaryRow) {
  return {
    object: "achievement_version" as const,
    id: publicId("acv", row.id),
    achievementId: publicId("ach", achievement.id),
    name: row.name ?? achievement.name,
    version: row.version,
    status: row.status,
  };
}
