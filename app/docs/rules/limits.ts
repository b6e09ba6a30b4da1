import { maxMembers } from "@/server/groups/input";
import { maxRuleGroups } from "@/server/groups/rule-limit";
import { maxDepth, maxLeaves, maxPattern, maxPatterns, maxText, maxValues } from "@/server/rules/rule";

const format = new Intl.NumberFormat("en");

/** The limits of groups and their rules, as the guide writes them. */
export const limits = Object.fromEntries(
  Object.entries({
    members: maxMembers,
    ruleGroups: maxRuleGroups,
    depth: maxDepth,
    comparisons: maxLeaves,
    values: maxValues,
    text: maxText,
    pattern: maxPattern,
    patterns: maxPatterns,
  }).map(([name, limit]) => [name, format.format(limit)]),
);
