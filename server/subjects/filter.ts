import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { changedWithin, changeTimes, isAmong, severalOf, type TimeBounds } from "@/server/core/list-filters";
import type { Order, SortFields } from "@/server/core/sorting";
import { externalIds, isExternalId } from "./external-id";

/** What subjects can be sorted by. Each has an index. */
export const subjectSorts = {
  createdAt: null,
  updatedAt: { key: "updated_at", type: "timestamptz" },
  displayName: { key: `(search_fold(display_name) COLLATE "C")`, type: "text" },
  externalId: { key: "external_id", type: "text" },
} as const satisfies SortFields;

/** What a list of subjects can be narrowed to by columns. */
export const subjectFilters = {
  status: severalOf(["active", "inactive"]).optional(),
  externalId: externalIds.optional(),
  awaitsPhotoApproval: z.literal("true", "must be true, or be left out").optional().meta({
    description: "true: those whose photo is pending and who hold a live credential of a template with photoApproval.",
  }),
  ...changeTimes,
};

export type SubjectFilter = { [F in keyof typeof subjectFilters]?: z.output<(typeof subjectFilters)[F]> } & TimeBounds;

/** Of a row of `subjects`: whether its photo is to be looked at before a card shows it. */
export const awaitsPhotoApproval = `(photo_status = 'pending' AND EXISTS (
  SELECT FROM credentials held JOIN template_versions version ON version.org_id = held.org_id AND version.id = held.template_version_id
  WHERE held.org_id = $1 AND held.subject_id = subjects.id AND held.state IN ('pending', 'active', 'suspended') AND held.kind <> 'academic' AND version.photo = 'approved'))`;

/**
 * The predicate of a filter, beyond a page's beginning where there is one; `parameter` adds a value and gives its name
 * in the text.
 */
export function conditions(ctx: Ctx, filter: SubjectFilter, page?: { order: Order; after: string | null }) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (filter.status) where.push(isAmong("status", "text", filter.status, parameter));
  if (filter.externalId) where.push(isExternalId("external_id", filter.externalId, parameter));
  if (filter.awaitsPhotoApproval) where.push(awaitsPhotoApproval);
  where.push(...changedWithin("", filter, parameter));
  if (page && page.after !== null) where.push(page.order.beyond(page.after, parameter));
  return { where: where.join(" AND "), parameter, values };
}
