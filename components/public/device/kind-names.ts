import type { StatementKind } from "@/server/credentials/statement";

export const kindNames: Record<StatementKind, string> = {
  membership: "Membership",
  employee_id: "Employee ID",
  student_id: "Student ID",
  academic: "Academic credential",
};
