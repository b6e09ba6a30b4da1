// The terms of Open Badges 3.0 (section B.1, data models). Their order is the order of the menus in the console.

/** The type of an achievement (Open Badges 3.0, `AchievementType`). Other types begin with `ext:`. */
export const achievementTypes = [
  "Achievement",
  "ApprenticeshipCertificate",
  "Assessment",
  "Assignment",
  "AssociateDegree",
  "Award",
  "BachelorDegree",
  "Badge",
  "Certificate",
  "CertificateOfCompletion",
  "Certification",
  "CoCurricular",
  "CommunityService",
  "Competency",
  "Course",
  "Degree",
  "Diploma",
  "DoctoralDegree",
  "Fieldwork",
  "GeneralEducationDevelopment",
  "JourneymanCertificate",
  "LearningProgram",
  "License",
  "MasterCertificate",
  "MasterDegree",
  "Membership",
  "MicroCredential",
  "ProfessionalDoctorate",
  "QualityAssuranceCredential",
  "ResearchDoctorate",
  "SecondarySchoolDiploma",
] as const;

/** The type of a result (Open Badges 3.0, `ResultType`). Other types begin with `ext:`. */
export const resultTypes = [
  "GradePointAverage",
  "LetterGrade",
  "Percent",
  "PerformanceLevel",
  "PredictedScore",
  "RawScore",
  "Result",
  "RubricCriterion",
  "RubricCriterionLevel",
  "RubricScore",
  "ScaledScore",
  "Status",
] as const;

/** Result types whose values are numbers. A predicted score can be a letter, and a rubric score a level. */
export const numericResultTypes: readonly string[] = ["GradePointAverage", "Percent", "RawScore", "ScaledScore"];

/**
 * The values of a result of the type `Status` (Open Badges 3.0, `ResultStatusType`), each with its words. The standard
 * has no others.
 */
export const resultStatuses: Record<string, string> = {
  Completed: "completed",
  Enrolled: "enrolled",
  Failed: "failed",
  InProgress: "in progress",
  OnHold: "on hold",
  Provisional: "provisional",
  Withdrew: "withdrew",
};

/** The type of an alignment's target (Open Badges 3.0, `AlignmentTargetType`). Other types begin with `ext:`. */
export const alignmentTargetTypes = [
  "ceasn:Competency",
  "ceterms:Credential",
  "CFItem",
  "CFRubric",
  "CFRubricCriterion",
  "CFRubricCriterionLevel",
  "CTDL",
] as const;
