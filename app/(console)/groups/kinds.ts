import type { EvaluationProblem, GroupKind, GroupView } from "@/server/groups/view";

/** The names of the kinds of groups. */
export const kindLabels: Record<GroupKind, string> = { static: "Chosen people", rule: "By rule" };

/** The connectors from which the people of a group come: its directory, or those whose files name it. */
export const feedsOf = ({ providedBy, fedBy }: Pick<GroupView, "providedBy" | "fedBy">) =>
  providedBy ? [providedBy] : fedBy;

/** Where the people of a group come from, in a few words. */
export const originOf = (group: Pick<GroupView, "kind" | "providedBy" | "fedBy">): string => {
  const names = feedsOf(group).map(({ name }) => name);
  return names.length > 0 ? `From ${names.join(", ")}` : kindLabels[group.kind];
};

/** By what a list of groups can be narrowed. */
export const kindFilters = [
  { value: "static", label: "One by one", description: "People whom you, your systems, a file or a directory add." },
  { value: "rule", label: kindLabels.rule, description: "Everyone who matches a rule." },
] as const;

/** What a new group can be. */
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
