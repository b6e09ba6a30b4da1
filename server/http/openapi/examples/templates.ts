import { at, templateId, versionId, changed } from "./common";

const templatesStopped = {
  code: "templates_stopped",
  message:
    "2 published templates name this achievement, and nothing can be issued from them now: no version of the achievement is current. Publish a version, or bring this one back.",
};

const achievement = {
  id: "ach_01k4b00a1b2c3d4e5f6g7h8j9k",
  object: "achievement",
  name: "Master of Science in Computer Science",
  status: "published",
  currentVersion: 1,
  latestVersion: 1,
  metadata: {},
  ...changed,
};

const achievementVersion = {
  id: "acv_01k4b00b2c3d4e5f6g7h8j9k0m",
  object: "achievement_version",
  achievementId: achievement.id,
  version: 1,
  status: "published",
  name: achievement.name,
  publishedAt: at,
  archivedAt: null,
  ...changed,
};

const achievementVersionWithContent = {
  ...achievementVersion,
  description: "Two years of study with a thesis.",
  criteria: { narrative: "120 credits, of which 30 are for the thesis." },
  achievementType: "MasterDegree",
  tags: ["computer science"],
  alignments: [],
  resultDescriptions: [
    { key: "grade", name: "Final grade", resultType: "GradePointAverage", valueMin: "4.0", valueMax: "1.0" },
  ],
  creditsAvailable: 120,
  fieldOfStudy: "Computer science",
  specialization: null,
  humanCode: null,
  inLanguage: "en",
  imageUrl: null,
};

export const template = {
  id: templateId,
  object: "template",
  name: "Student ID",
  kind: "student_id",
  slug: "student-id",
  status: "published",
  currentVersion: 1,
  latestVersion: 1,
  repeatable: false,
  confirmName: false,
  messages: {
    senderName: "Registrar of Example University",
    replyTo: "registrar@example.edu",
    texts: {},
    automatic: ["issued", "revoked"],
    expiringDays: 30,
  },
  metadata: {},
  ...changed,
};

const version = {
  id: versionId,
  object: "template_version",
  templateId,
  version: 1,
  status: "published",
  validity: { type: "none" },
  achievementId: null,
  publishedAt: at,
  archivedAt: null,
  ...changed,
};

const versionWithDesign = {
  ...version,
  design: {
    colors: { background: "#5a1f33", foreground: "#fbf4f1", accent: "#f0b69c" },
    front: {
      fields: [
        {
          key: "programme",
          label: { en: "Programme", de: "Studiengang" },
          binding: "attributes.programme",
          width: "half",
        },
        { key: "until", label: "Valid through", binding: "credential.expiresAt", format: "month", width: "half" },
      ],
    },
    back: {
      fields: [{ key: "found", label: "Found this card?", text: "Please return it to the library.", width: "full" }],
    },
    publicFields: ["programme", "found"],
  },
};

export const templatesExamples: Record<string, unknown> = {
  Achievement: achievement,
  AchievementWithVersion: { ...achievement, templateCount: 2, version: achievementVersionWithContent },
  AchievementVersion: achievementVersionWithContent,
  ArchivedAchievementVersion: {
    ...achievementVersionWithContent,
    status: "archived",
    archivedAt: at,
    warnings: [templatesStopped],
  },
  Warning: templatesStopped,
  AchievementVersionSummary: achievementVersion,
  AchievementDocument: {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id: `https://credentials.example.edu/public/achievements/${achievementVersion.id}`,
    type: ["Achievement"],
    name: achievement.name,
    description: achievementVersionWithContent.description,
    criteria: achievementVersionWithContent.criteria,
    achievementType: "MasterDegree",
  },
  Template: template,
  TemplateWithVersion: { ...template, version: versionWithDesign },
  TemplateVersion: versionWithDesign,
  TemplateVersionSummary: version,
};
