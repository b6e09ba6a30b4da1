import { createTemplate } from "@/server/templates/create";
import type { TemplateName } from "./stage";

type NewTemplate = Parameters<typeof createTemplate>[1];

const name = { key: "name", label: "Name", binding: "subject.displayName" };

/** The university's three templates. */
export const templates: Record<TemplateName, NewTemplate> = {
  student: {
    name: "Student ID",
    kind: "student_id",
    publish: true,
    validity: { type: "attribute", attribute: "enrolledUntil" },
    design: {
      colors: { background: "#16324f", foreground: "#f4f7fa", accent: "#e8b04b" },
      front: {
        fields: [
          name,
          { key: "programme", label: { en: "Programme", de: "Studiengang" }, binding: "attributes.programme" },
          { key: "number", label: { en: "Student number", de: "Matrikelnummer" }, binding: "subject.externalId" },
          {
            key: "until",
            label: { en: "Valid through", de: "Gültig bis" },
            binding: "credential.expiresAt",
            format: "date",
          },
        ],
      },
      back: {
        fields: [
          { key: "faculty", label: "Faculty", binding: "attributes.faculty" },
          {
            key: "found",
            label: "If found",
            text: "Please return to the Registrar's Office, 12 Harbour Road, Northwind.",
          },
        ],
      },
      publicFields: ["name", "programme", "until"],
      signedQr: true,
    },
  },
  staff: {
    name: "Staff card",
    kind: "employee_id",
    publish: true,
    validity: { type: "duration", amount: 2, unit: "years" },
    design: {
      colors: { background: "#26332e", foreground: "#f3f6f1", accent: "#8fc6a4" },
      front: {
        fields: [
          name,
          { key: "title", label: "Position", binding: "attributes.title" },
          { key: "department", label: "Department", binding: "attributes.department" },
          { key: "number", label: "Staff number", binding: "subject.externalId" },
        ],
      },
      publicFields: ["name", "title", "department"],
    },
  },
  certificate: {
    name: "Certificate in Data Analysis",
    kind: "academic",
    publish: true,
    validity: { type: "none" },
    design: {
      front: {
        fields: [
          name,
          { key: "grade", label: "Grade", binding: "credential.data.results.grade" },
          { key: "credits", label: "Credits", binding: "credential.data.creditsEarned", format: "number" },
          { key: "awarded", label: "Awarded", binding: "credential.validFrom", format: "date" },
          { key: "evidence", label: "Evidence", binding: "credential.data.evidence" },
        ],
      },
      publicFields: ["name", "grade", "credits", "awarded", "evidence"],
    },
  },
};
