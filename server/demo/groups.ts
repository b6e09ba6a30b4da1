import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import type { Person } from "./people";
import type { Calendar, Scene } from "./stage";

/** Groups of the university: a club that a registrar maintains, and some that follow from rules. */
export function cohorts(learners: Person[], { day }: Calendar): Scene[] {
  const club = learners.slice(0, 12).map(({ externalId }) => externalId);
  return [
    {
      at: day(24, 10, 5),
      async play(stage, at) {
        const ctx = stage.as(stage.cast.registrar, at);
        const { id } = await createGroup(ctx, { name: "Chess club", description: "Fridays in the library." });
        await addGroupMembers(ctx, { id, externalIds: club });
        await createGroup(ctx, {
          name: "Chess club, final years",
          rule: {
            all: [
              { field: "groups", op: "contains", value: id },
              { field: "attributes.year", op: "gte", value: 3 },
            ],
          },
        });
      },
    },
    {
      at: day(18, 9, 30),
      play: (stage, at) =>
        createGroup(stage.as(stage.cast.owner, at), {
          name: "Enrolled students",
          externalId: "enrolled",
          description: "Everyone whose enrolment has not ended.",
          rule: {
            all: [
              { field: "status", op: "eq", value: "active" },
              { field: "attributes.enrolledUntil", op: "after", value: "now-1d" },
            ],
          },
        }),
    },
  ];
}
