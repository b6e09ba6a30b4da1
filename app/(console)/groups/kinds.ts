import type { GroupKind } from "@/server/groups/view";

/** What people call the kinds of groups. */
export const kindLabels: Record<GroupKind, string> = { static: "Chosen people", rule: "By rule" };

export const kindOptions = [
  { value: "static", label: kindLabels.static, description: "You or your systems add and remove people." },
  { value: "rule", label: kindLabels.rule, description: "Everyone whom a rule means, kept up to date." },
] as const;
