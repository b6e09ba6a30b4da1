import { ruleOf } from "./recipes";
import type { Policy } from "./words";

/** A policy as it stands in the form: each field as text. */
export interface Entered {
  name: string;
  /** Whether a rule or a group decides who gets a credential. */
  chosenBy: "rule" | "group";
  rule: string;
  groupId: string;
  onExit: Policy["onExit"];
  reentry: Policy["reentry"];
  graceDays: string;
  /** A duration such as 30d; empty for none. */
  renewal: string;
  percent: string;
  count: string;
  cron: string;
}

/** The initial values of a new policy. */
export const firstEntered: Entered = {
  name: "",
  chosenBy: "rule",
  rule: ruleOf("students"),
  groupId: "",
  onExit: "suspend",
  reentry: "resume",
  graceDays: "0",
  renewal: "",
  percent: "10",
  count: "500",
  cron: "0 5 * * *",
};

/** The labels of the fields, for a conflict between two people who changed the same policy. */
export const enteredLabels: Record<keyof Entered, string> = {
  name: "Name",
  chosenBy: "Who matches",
  rule: "Rule",
  groupId: "Group",
  onExit: "When somebody leaves",
  reentry: "When somebody comes back",
  graceDays: "Days of grace",
  renewal: "Extend before it expires",
  percent: "Percent",
  count: "Credentials",
  cron: "Schedule",
};

/** Converts a policy to the values of the form. */
export function asEntered(policy: Policy): Entered {
  const { name, rule, groupId, onExit, reentry, graceDays, renewal, blastRadius, schedule } = policy;
  return {
    name,
    chosenBy: rule ? "rule" : "group",
    rule: rule ? JSON.stringify(rule, null, 2) : ruleOf("students"),
    groupId: groupId ?? "",
    onExit,
    reentry,
    graceDays: String(graceDays),
    renewal: renewal?.before ?? "",
    percent: String(blastRadius.percent),
    count: String(blastRadius.count),
    cron: schedule?.cron ?? "",
  };
}

/** An empty field is sent as it is; the service refuses it with a message. */
const numberIn = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** Converts the named fields of the form to the input of the API. A schedule keeps its time zone. */
export function fieldsToSend(
  entered: Entered,
  changed: readonly (keyof Entered)[],
  { rule, timeZone }: { rule: Record<string, unknown> | null; timeZone: string | undefined },
) {
  const has = (...names: (keyof Entered)[]) => names.some((name) => changed.includes(name));
  const cron = entered.cron.trim();
  return {
    ...(has("name") && { name: entered.name }),
    ...(has("chosenBy", "rule", "groupId") && (rule ? { rule } : { groupId: entered.groupId })),
    ...(has("onExit") && { onExit: entered.onExit }),
    ...(has("reentry") && { reentry: entered.reentry }),
    ...(has("graceDays") && { graceDays: numberIn(entered.graceDays) }),
    ...(has("renewal") && { renewal: entered.renewal ? { before: entered.renewal } : null }),
    ...(has("percent", "count") && {
      blastRadius: { percent: numberIn(entered.percent), count: numberIn(entered.count) },
    }),
    ...(has("cron") && { schedule: cron ? { cron, ...(timeZone && { timeZone }) } : null }),
  };
}
