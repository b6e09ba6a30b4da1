import type { TemplateKind } from "@/server/templates/view";

export const kindNames: Record<TemplateKind, string> = {
  membership: "Membership",
  employee_id: "Employee ID",
  student_id: "Student ID",
  academic: "Academic credential",
};

export const kindOptions = [
  { value: "membership", label: "Membership", description: "Always shows the person's record as it is now." },
  { value: "employee_id", label: "Employee ID", description: "Always shows the person's record as it is now." },
  { value: "student_id", label: "Student ID", description: "Always shows the person's record as it is now." },
  {
    value: "academic",
    label: "Academic credential",
    description: "Keeps what the record said when it was issued, for ever.",
  },
] as const satisfies { value: TemplateKind; label: string; description: string }[];
