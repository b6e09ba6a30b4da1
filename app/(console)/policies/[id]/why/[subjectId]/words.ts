import type { Region } from "@/server/core/dates";
import { formatDay, formatExactUntil } from "@/server/core/dates";
import type { Explanation, Policy } from "../../../words";

type Told = Pick<Explanation, "action" | "meant" | "wanted" | "exception" | "active" | "inGroup" | "graceUntil">;

const verdicts: Record<Exclude<Explanation["action"], "grace">, string> = {
  issue: "Gets this credential with the next run.",
  confirming:
    "Was asked to confirm the name, and gets this credential once that is done. The policy does not ask again.",
  keep: "Holds this credential and keeps it.",
  foreign: "Holds this credential from elsewhere. The policy did not issue it and leaves it as it is.",
  renew: "Holds this credential. The next run extends it.",
  resume: "The credential is suspended. The next run gives it back.",
  suspend: "Holds this credential. The next run suspends it.",
  revoke: "Holds this credential. The next run revokes it.",
  blocked:
    "Matches, but gets none: a person or the API ended or suspended the credential, set its end, or cancelled the request to confirm the name. A policy never undoes that. You can issue the credential by hand.",
  none: "Does not get this credential. The next run changes nothing.",
};

/** What a policy does for a person, in a sentence. */
export function verdictOf({ action, graceUntil }: Told, { onExit }: Pick<Policy, "onExit">, region: Region): string {
  if (action !== "grace") return verdicts[action];
  const ends = onExit === "revoke" ? "revokes" : "suspends";
  return `Keeps this credential until ${formatDay(new Date(graceUntil!), region)}: the days of grace last until then. The first run after that ${ends} it.`;
}

/** Says in sentences why it does that: an exception, the status, the group or the rule. */
export function reasonsOf({ exception, active, inGroup, meant }: Told, region: Region): string[] {
  const until = exception?.until ? ` It ends by itself: ${formatExactUntil(exception.until, region)}.` : "";
  const said: string[] = [];
  if (!active)
    said.push("The person is inactive. Inactive people never match, whatever the rule or an exception says.");
  if (exception)
    said.push(
      `An exception ${exception.effect === "grant" ? "grants" : "denies"} them the credential, whatever the ${inGroup === null ? "rule" : "group"} says. Its reason: “${exception.reason}”.${until}`,
    );
  if (active && inGroup !== null)
    said.push(
      inGroup ? "The person is in the group of this policy." : "The person is not in the group of this policy.",
    );
  if (active && inGroup === null)
    said.push(
      meant ? "The person meets the rule of this policy." : "The person does not meet the rule of this policy.",
    );
  return said;
}
