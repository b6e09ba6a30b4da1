import { createPolicy } from "@/server/policies/create";
import type { Calendar, Scene } from "./stage";

/** A policy of the registrar's office that has not been applied yet: its page shows what it would do. */
export function policies({ day }: Calendar): Scene[] {
  return [
    {
      at: day(2, 11, 15),
      play: (stage, at) =>
        createPolicy(stage.as(stage.cast.owner, at), {
          name: "Student IDs while enrolled",
          templateId: stage.templates.student,
          rule: { field: "attributes.enrolledUntil", op: "after", value: "now" },
          graceDays: 14,
        }),
    },
  ];
}
