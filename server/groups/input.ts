import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { externalId } from "@/server/subjects/external-id";

export const groupFields = {
  name: line(200).min(1, "must not be empty"),
  externalId: externalId.nullable().meta({ description: "Your own key, unique among groups; null for none." }),
  description: line(1000),
};

/** Most people that one request adds or removes. */
export const maxMembers = 10_000;

/** People by either of their ids, at most 10,000 in all. */
export const namedSubjects = {
  subjectIds: z.array(id("sub")).max(maxMembers).default([]).meta({ description: "Ids of people." }),
  externalIds: z.array(externalId).max(maxMembers).default([]).meta({ description: "Your own keys of people." }),
};

/** Requires 1 to 10,000 people in both lists of `namedSubjects` together. */
export function namesSomePeople(
  { subjectIds, externalIds }: { subjectIds: unknown[]; externalIds: unknown[] },
  context: z.RefinementCtx,
): void {
  const named = subjectIds.length + externalIds.length;
  if (named > 0 && named <= maxMembers) return;
  context.addIssue({
    code: "custom",
    params: { code: named === 0 ? "too_small" : "too_big" },
    message: `must name 1 to ${maxMembers} people, in subjectIds, externalIds or both`,
  });
}

/** The refusal of an externalId that another group has. Names the group, if it can still be found. */
export function groupExternalIdTaken(groupId: Id<"grp"> | undefined): DomainError {
  return new DomainError("external_id_taken", "The externalId belongs to another group of this organisation.", {
    ...(groupId && { members: { groupId: publicId("grp", groupId) } }),
  });
}

/** The group that has an externalId. */
export async function groupWithExternalId(ctx: TxCtx, externalId: string): Promise<Id<"grp"> | undefined> {
  const [row] = await ctx.tx.sql<{ id: Id<"grp"> }>("SELECT id FROM groups WHERE org_id = $1 AND external_id = $2", [
    ctx.orgId,
    externalId,
  ]);
  return row?.id;
}
