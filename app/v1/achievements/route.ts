import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createAchievement } from "@/server/achievements/create";
import { listAchievements } from "@/server/achievements/list";
import { achievementSchema, achievementWithVersionSchema } from "@/server/achievements/view";

export const GET = route({
  operation: listAchievements,
  summary: "List achievements",
  response: pageOf(achievementSchema),
});

export const POST = route({
  operation: createAchievement,
  summary: "Create an achievement",
  description:
    "Makes the achievement and its version 1: a draft, or published at once with publish. The fields are those of Achievement in Open Badges 3.0.",
  response: achievementWithVersionSchema,
  statuses: [201],
  example: {
    request: {
      name: "Master of Science in Computer Science",
      description: "Two years of study with a thesis.",
      criteria: { narrative: "120 credits, of which 30 are for the thesis." },
      achievementType: "MasterDegree",
      tags: ["computer science"],
      alignments: [
        {
          targetName: "Master's degree",
          targetUrl: "https://example.org/frameworks/eqf/7",
          targetFramework: "European Qualifications Framework",
          targetCode: "7",
        },
      ],
      resultDescriptions: [
        { key: "grade", name: "Final grade", resultType: "GradePointAverage", valueMin: "1.0", valueMax: "4.0" },
      ],
      creditsAvailable: 120,
      fieldOfStudy: "Computer science",
      inLanguage: "en",
      publish: true,
    },
  },
});
