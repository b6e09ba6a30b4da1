import type { TemplateKind } from "@/server/templates/view";

export const kindNames: Record<TemplateKind, string> = {
  membership: "Membership",
  employee_id: "Employee ID",
  student_id: "Student ID",
  academic: "Academic credential",
};

export const kindOptions = [
  { value: "membership", label: "Membership", description: "Reads its subject live." },
  { value: "employee_id", label: "Employee ID", description: "Reads its subject live." },
  { value: "student_id", label: "Student ID", description: "Reads its subject live." },
  { value: "academic", label: "Academic credential", description: "Keeps what was so at issue, for ever." },
] as const satisfies { value: TemplateKind; label: string; description: string }[];
