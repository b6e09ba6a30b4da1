import type { NewEvent } from "@/server/events/append";
import { subjectFactsOf, subjectView, type SubjectRow } from "./view";

type Before = {
  externalId?: string;
  displayName: string;
  email: string | null;
  status: string;
  photoUpdatedAt?: string | null;
  photoStatus?: string | null;
};

/** Builds the event for a written subject (contract section 4). `before` is null for a new subject. */
export function changeEvent(
  row: SubjectRow,
  before: Before | null,
): NewEvent<"subject.created" | "subject.updated" | "subject.deactivated"> {
  const object = subjectFactsOf(row);
  if (!before) return { type: "subject.created", resourceId: row.id, object };
  const changed = (Object.keys(before) as (keyof Before)[]).filter((field) => before[field] !== object[field]);
  return {
    type: before.status === "active" && row.status === "inactive" ? "subject.deactivated" : "subject.updated",
    resourceId: row.id,
    object,
    previous: Object.fromEntries(changed.map((field) => [field, before[field]])),
  };
}

/** Returns what changeEvent compares when the photo or its status is written. */
export function photoChange(row: SubjectRow): Before {
  const { displayName, email, status, photoUpdatedAt, photoStatus } = subjectView(row);
  return { displayName, email, status, photoUpdatedAt, photoStatus };
}
