import { z } from "zod";
import { audit } from "@/server/access/audit";
import { lastActor } from "@/server/access/last-actor";
import type { TxCtx } from "@/server/core/context";
import { changedMeanwhile } from "@/server/core/entity-tag";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id, timestamp } from "@/server/core/input";
import { append } from "@/server/events/append";
import { changeEvent, photoChange } from "./change-event";
import { subjectErased } from "./erased";
import { loadSubject } from "./load";
import {
  photoStatuses,
  subjectColumns,
  subjectView,
  type PhotoStatus,
  type SubjectRow,
  type SubjectView,
} from "./view";

/** The subject and the photo of the decision: the photo that the person was shown. */
export const decidedPhoto = {
  id: id("sub"),
  photoUpdatedAt: timestamp.meta({
    description: "The photoUpdatedAt of the photo that was looked at. 412 where another was set since.",
  }),
  photoStatus: z.enum(photoStatuses).optional().meta({
    description:
      "The photoStatus that the decision is based on. 412 where somebody decided otherwise since; without it the last decision stands.",
  }),
};

interface Seen {
  id: Id<"sub">;
  photoUpdatedAt: Date;
  photoStatus?: PhotoStatus | undefined;
}

/**
 * Stores a decision about a photo. The audit entry also says who set the photo. Emits subject.updated; nothing if the
 * photo already has this status and reason.
 * @throws DomainError not_found without a photo, precondition_failed where another photo was set or somebody decided
 * otherwise since, subject_erased
 */
export async function decidePhoto(
  ctx: TxCtx,
  seen: Seen,
  status: Exclude<PhotoStatus, "pending">,
  reason: string | null,
): Promise<SubjectView> {
  const before = await loadSubject(ctx, seen.id, "FOR UPDATE");
  if (before.erased_at) throw subjectErased();
  if (before.photo_at === null) throw notFound("photo of subject", publicId("sub", seen.id));
  if (before.photo_at.getTime() !== seen.photoUpdatedAt.getTime()) throw changedMeanwhile();
  if (before.photo_status === status && before.photo_reason === reason) return subjectView(before);
  if (seen.photoStatus && seen.photoStatus !== before.photo_status) throw await decidedMeanwhile(ctx, before);
  const [row] = await ctx.tx.sql<SubjectRow>(
    `UPDATE subjects SET photo_status = $3, photo_reason = $4, updated_at = $5 WHERE org_id = $1 AND id = $2 RETURNING ${subjectColumns}`,
    [ctx.orgId, before.id, status, reason, ctx.now],
  );
  await append(ctx, changeEvent(row!, photoChange(before)));
  // The event names only the decider. The audit entry says whether a second person saw the photo.
  const [setter, decider] = [row!.photo_by, ctx.actor];
  const bySetter = setter?.type === decider.type && setter.id === decider.id;
  const target = { type: "subject", id: publicId("sub", row!.id) };
  await audit(ctx, `subject.photo_${status}`, target, {
    photoUpdatedAt: before.photo_at.toISOString(),
    setBy: setter && { ...setter },
    bySetter,
  });
  return subjectView(row!);
}

/** The refusal of a decision that is based on an earlier one. Names who decided what since, and why. */
async function decidedMeanwhile(ctx: TxCtx, { id, photo_status, photo_reason }: SubjectRow): Promise<DomainError> {
  const decidedBy = await lastActor(ctx, publicId("sub", id), `subject.photo_${photo_status}`);
  return new DomainError(
    "precondition_failed",
    `The photo is ${photo_status} now: somebody decided on it after you read it. To decide otherwise, send "photoStatus": "${photo_status}".`,
    { members: { photoStatus: photo_status, photoReason: photo_reason, decidedBy: decidedBy && { ...decidedBy } } },
  );
}
