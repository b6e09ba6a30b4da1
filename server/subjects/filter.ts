import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import {
  changedWithin,
  changeTimes,
  isAmong,
  severalIds,
  severalOf,
  type Parameter,
  type TimeBounds,
} from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import type { Order, SortFields } from "@/server/core/sorting";
import { externalIds, isExternalId, withExternalIds } from "./external-id";

/** The fields by which subjects can be sorted. Each has an index. */
export const subjectSorts = {
  createdAt: null,
  updatedAt: { key: "updated_at", type: "timestamptz" },
  displayName: {
    key: `(search_fold(display_name) COLLATE "C")`,
    // Folding the names of 37,500 found rows again took 0.3 of 0.5 s. `search` begins with the folded name and a line end.
    stored: `(split_part(search, E'\\n', 1) COLLATE "C")`,
    type: "text",
  },
  externalId: { key: "external_id", type: "text" },
} as const satisfies SortFields;

/** The filters of a list of subjects that compare columns. */
export const subjectFilters = {
  status: severalOf(["active", "inactive"]).optional(),
  externalId: externalIds.optional(),
  groupId: severalIds("grp")
    .optional()
    .meta({
      override: { type: "string" },
      description: "Those who are in this group; of several, separated by commas, in any of them.",
    }),
  awaitsPhotoApproval: z.literal("true", "must be true, or be left out").optional().meta({
    description: "true: those whose photo is pending and who hold a live credential of a template with photoApproval.",
  }),
  ...changeTimes,
};

export type SubjectFilter = { [F in keyof typeof subjectFilters]?: z.output<(typeof subjectFilters)[F]> } & TimeBounds;

/** SQL predicate on a row of `subjects`: whether its photo must be approved before one of its cards shows it. */
export const awaitsPhotoApproval = `(photo_status = 'pending' AND EXISTS (
  SELECT FROM credentials held JOIN template_versions version ON version.org_id = held.org_id AND version.id = held.template_version_id
  WHERE held.org_id = $1 AND held.subject_id = subjects.id AND held.state IN ('pending', 'active', 'suspended') AND held.kind <> 'academic' AND version.photo = 'approved'))`;

/**
 * Builds the predicate of a filter, with `page` limited to the rows after its cursor. `parameter` adds a value and
 * returns its placeholder.
 */
export function conditions(ctx: Ctx, filter: SubjectFilter, page?: { order: Order; after: string | null }) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (filter.status) where.push(isAmong("status", "text", filter.status, parameter));
  if (filter.externalId) where.push(isExternalId("subjects", filter.externalId, parameter));
  if (filter.awaitsPhotoApproval) where.push(awaitsPhotoApproval);
  where.push(...changedWithin("", filter, parameter));
  if (page && page.after !== null) where.push(page.order.beyond(page.after, parameter));
  const { groupId, externalId } = filter;
  return {
    where: where.join(" AND "),
    parameter,
    values,
    /**
     * The rows to read. With groups: their members in the order of their ids, which is the order of creation. With
     * external ids: the rows that they name.
     */
    from: () =>
      groupId
        ? `(${membersOf(groupId, parameter)}) AS subjects`
        : externalId
          ? `(${withExternalIds("subjects", externalId, parameter)}) AS subjects`
          : "subjects",
    /** The same restriction as a predicate, for queries that read few rows. */
    within: () => (groupId ? `AND ${isMemberOf(groupId, parameter)}` : ""),
  };
}

/**
 * OFFSET 0 leaves PostgreSQL one plan: read the members from their index and look up each subject by its whole key.
 * `id` is the membership's, so that a page starts at its cursor, however large the group and the organisation are. A
 * person in several of the groups is one row.
 */
const membersOf = (groupIds: Id<"grp">[], parameter: Parameter) => `
  SELECT m.org_id, m.subject_id AS id, s.external_id, s.display_name, s.email, s.status, s.attributes, s.search, s.erased_at, s.created_at, s.updated_at, s.photo_at, s.photo_status, s.photo_reason, s.photo_by
  FROM (
    SELECT ${groupIds.length > 1 ? "DISTINCT" : ""} org_id, subject_id FROM group_members
    WHERE org_id = $1 AND ${isAmong("group_id", "uuid", groupIds, parameter)}
  ) m CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = m.subject_id OFFSET 0) s`;

const isMemberOf = (groupIds: Id<"grp">[], parameter: Parameter) =>
  `EXISTS (SELECT FROM group_members m WHERE m.org_id = $1 AND ${isAmong("m.group_id", "uuid", groupIds, parameter)} AND m.subject_id = subjects.id OFFSET 0)`;
