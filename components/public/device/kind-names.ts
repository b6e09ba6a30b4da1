import type { StatementKind } from "@/server/credentials/statement";
import { say } from "../words";

const words: Record<StatementKind, { word: string }> = {
  membership: { word: "Membership" },
  employee_id: { word: "Employee ID" },
  student_id: { word: "Student ID" },
  academic: { word: "Academic credential" },
};

export const kindName = (kind: StatementKind): string => say(words[kind].word);
