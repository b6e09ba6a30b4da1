import type { EvaluationProblem, GroupKind, GroupView } from "@/server/groups/view";

/** The names of the kinds of groups. */
export const kindLabels: Record<GroupKind, string> = { static: "Chosen people", rule: "By rule" };

/** How people become members of a group, in a word or two. */
export const originOf = ({ kind, providedBy }: Pick<GroupView, "kind" | "providedBy">): string =>
  providedBy ? "From a directory" : kindLabels[kind];

export const kindOptions = [
  { value: "static", label: kindLabels.static, description: "You or your systems add and remove people." },
  { value: "rule", label: kindLabels.rule, description: "Everyone who matches a rule, kept up to date." },
] as const;

/** Why the members of a rule group are out of date. */
export const evaluationProblems: Record<EvaluationProblem, string> = {
  too_costly:
    "The group could not be evaluated: the rule costs too much. Use fewer or shorter comparisons with contains. It is tried again, less and less often.",
  failed: "The group could not be evaluated. It is tried again on its own.",
};
