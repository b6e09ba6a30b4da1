import { createAchievement } from "@/server/achievements/create";

type NewAchievement = Parameters<typeof createAchievement>[1];

/** The university's achievements: that of its certificate, and a degree that no template names yet. */
export const achievements = {
  certificate: {
    name: "Certificate in Data Analysis",
    publish: true,
    achievementType: "Certificate",
    description:
      "A course of two terms on collecting, cleaning and interpreting data, with a project on data of the holder's own field.",
    criteria: {
      narrative:
        "Attend at least ten of twelve sessions, hand in all exercises, and **pass the project** at least with the grade Pass.",
      url: "https://northwind.example/courses/data-analysis",
    },
    tags: ["statistics", "data analysis", "visualisation"],
    alignments: [
      {
        targetName: "Short-cycle learning outcomes, level 5",
        targetUrl: "https://northwind.example/frameworks/eqf/5",
        targetFramework: "European Qualifications Framework",
        targetCode: "5",
      },
    ],
    resultDescriptions: [
      {
        key: "grade",
        name: "Grade of the project",
        resultType: "LetterGrade",
        allowedValues: ["Distinction", "Merit", "Pass", "Fail"],
        requiredValue: "Pass",
      },
    ],
    creditsAvailable: 75,
    fieldOfStudy: "Statistics",
    humanCode: "DA-101",
    inLanguage: "en",
  },
  degree: {
    name: "Master of Science in Computer Science",
    publish: true,
    achievementType: "MasterDegree",
    description: "Two years of study of the theory and practice of computing, concluded by a thesis.",
    criteria: { narrative: "120 credits, of which 30 are for the thesis and its defence." },
    tags: ["computer science"],
    creditsAvailable: 120,
    fieldOfStudy: "Computer science",
    humanCode: "CS-MSC",
    inLanguage: "en",
  },
} satisfies Record<string, NewAchievement>;
