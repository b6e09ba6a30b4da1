import type { Ctx } from "@/server/core/context";
import { publishedAchievement } from "./achievements";
import { issued, publishedTemplate } from "./credentials";

type Terms = Parameters<typeof issued>[2];

/** Issues a credential of a degree whose public page shows all that its files say. */
export async function degree(ctx: Ctx, name = "Master of Science", terms: Terms = {}) {
  const achievement = await publishedAchievement(ctx, {
    name,
    resultDescriptions: [{ key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"] }],
    creditsAvailable: 120,
  });
  const template = await publishedTemplate(ctx, {
    name,
    kind: "academic",
    achievementId: achievement.id,
    design: {
      colors: { background: "#fbf8f0", accent: "#8c6a2f" },
      publicFields: ["grade", "credits"],
      front: {
        fields: [
          { key: "grade", label: "Grade", binding: "credential.data.results.grade" },
          { key: "credits", label: "Credits", binding: "credential.data.creditsEarned" },
        ],
      },
    },
  });
  const credential = await issued(ctx, template.id, {
    data: { results: { grade: "A" }, creditsEarned: 120 },
    ...terms,
  });
  return { achievement, template, credential };
}
