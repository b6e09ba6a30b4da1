import type { RouterOutputs } from "@/server/trpc/root";

export type Policy = RouterOutputs["policies"]["get"];
export type ListedPolicy = RouterOutputs["policies"]["list"]["data"][number];
export type Run = RouterOutputs["policies"]["run"];
export type Preview = RouterOutputs["policies"]["preview"];
export type Explanation = RouterOutputs["policies"]["explain"];
export type Action = Preview["data"][number]["action"];

export const isUnderWay = ({ status }: Run) => status === "running" || status === "waiting";

/** The label of a run's status. */
export const statusLabels: Partial<Record<Run["status"], string>> = {
  completed: "Applied",
  halted: "Waits for approval",
  waiting: "Waits for a file",
  discarded: "Discarded",
};

/** What a policy does for a person, as a status. */
export const actionLooks: Record<Action, { of: string; label: string }> = {
  issue: { of: "active", label: "Gets one" },
  confirming: { of: "pending", label: "Confirms the name" },
  keep: { of: "published", label: "Keeps it" },
  foreign: { of: "draft", label: "Has another one" },
  renew: { of: "active", label: "Is extended" },
  resume: { of: "active", label: "Gets it back" },
  suspend: { of: "suspended", label: "Is suspended" },
  revoke: { of: "revoked", label: "Is revoked" },
  grace: { of: "suspended", label: "Keeps it for now" },
  blocked: { of: "inactive", label: "Gets none" },
};

/** The same for one person, including that it does nothing. */
export const outcomeLooks: Record<Action | "none", { of: string; label: string }> = {
  ...actionLooks,
  none: { of: "inactive", label: "Does not match" },
};

export type Exception = RouterOutputs["policies"]["exceptions"]["data"][number];

/** What an exception does, as a status. */
export const effectLooks: Record<Exception["effect"], { of: string; label: string }> = {
  grant: { of: "active", label: "Granted" },
  deny: { of: "revoked", label: "Denied" },
};

/** The effects of an exception, with what happens to an existing credential of the person (docs/decisions/451). */
export const effectOptions = ({
  onExit,
  graceDays,
}: Pick<Policy, "onExit" | "graceDays">): { value: Exception["effect"]; label: string; description: string }[] => {
  const ends = onExit === "revoke" ? "is revoked" : "is suspended";
  const when =
    graceDays === 0
      ? "with the next run"
      : `after the ${graceDays === 1 ? "day" : `${count(graceDays)} days`} of grace`;
  return [
    { value: "grant", label: "Gets a credential", description: "Even if they do not match the rule." },
    {
      value: "deny",
      label: "Gets none",
      description:
        onExit === "none"
          ? "One that this policy has issued to them stays valid until it expires."
          : `One that this policy has issued to them ${ends} ${when}.`,
    },
  ];
};

export const exitOptions: readonly { value: Policy["onExit"]; label: string; description: string }[] = [
  { value: "suspend", label: "Suspend it", description: "They get it back when they match again." },
  { value: "revoke", label: "Revoke it", description: "For good. Later they get a new one." },
  { value: "none", label: "Leave it", description: "It stays valid until it expires." },
];

export const reentryOptions: readonly { value: Policy["reentry"]; label: string; description: string }[] = [
  {
    value: "resume",
    label: "Give it back",
    description: "The suspended credential is valid again, with its old dates.",
  },
  { value: "reissue", label: "Issue a new one", description: "It takes the place of the suspended one." },
];

/** Units of the time before an expiry, as the API writes them. */
export const renewalUnits = [
  { value: "h", label: "hours", one: "hour" },
  { value: "d", label: "days", one: "day" },
  { value: "w", label: "weeks", one: "week" },
  { value: "mo", label: "months", one: "month" },
] as const;
export type RenewalUnit = (typeof renewalUnits)[number]["value"];

/** Reads a time such as 30d. */
export function readRenewal(before: string): { amount: string; unit: RenewalUnit } {
  const [, amount = "", unit = "d"] = /^(.*?)(h|d|w|mo)$/.exec(before) ?? [];
  return { amount, unit: unit as RenewalUnit };
}

/** A time such as 30d in words. */
export function wordsOfRenewal(before: string): string {
  const { amount, unit } = readRenewal(before);
  const { label, one } = renewalUnits.find(({ value }) => value === unit)!;
  return `${amount} ${amount === "1" ? one : label} before it expires, while its holder matches`;
}

const format = new Intl.NumberFormat("en");
export const count = (n: number) => format.format(n);
export const credentials = (n: number) => (n === 1 ? "1 credential" : `${count(n)} credentials`);

/** Says what a policy would do if it ran now. The sentences account for every person whom the preview lists. */
export function summaryOf({ counts }: Pick<Preview, "counts">): string {
  const told = [
    [counts.issue, "issued"],
    [counts.renew, "extended"],
    [counts.resume, "given back"],
    [counts.suspend, "suspended"],
    [counts.revoke, "revoked"],
  ] as const;
  const changes = told.filter(([n]) => n > 0).map(([n, word]) => `${credentials(n)} would be ${word}`);
  const sentence = (n: number, one: string, many: string) => (n === 0 ? [] : [`${count(n)} ${n === 1 ? one : many}`]);
  return [
    `${changes.length > 0 ? changes.join(", ") : "Nothing would change"}.`,
    ...sentence(counts.keep, "stays as it is.", "stay as they are."),
    ...sentence(
      counts.confirming,
      "person was asked to confirm the name, and gets theirs then.",
      "people were asked to confirm their names, and get theirs then.",
    ),
    ...sentence(
      counts.grace,
      "stays valid for the days of grace, and ends after them.",
      "stay valid for the days of grace, and end after them.",
    ),
    ...sentence(
      counts.foreign,
      "was issued otherwise, and this policy never ends it.",
      "were issued otherwise, and this policy never ends them.",
    ),
    ...sentence(
      counts.blocked,
      "person gets none, because a person or the API has ended or refused theirs.",
      "people get none, because a person or the API has ended or refused theirs.",
    ),
  ].join(" ");
}

/** Whether a run changed nothing, so that its counts only say what it would do. */
export const isOnlyPlanned = ({ status }: Pick<Run, "status">) => status === "halted" || status === "discarded";

/** Says briefly what a run did or would do. */
export function outcomeOf({ status, counts, error }: Run): string {
  if (status === "failed") return error?.message ?? "";
  if (status === "waiting") return "Waits for a file of a connector";
  const parts = [
    [counts.issue, "issued"],
    [counts.confirming, "asked to confirm their name"],
    [counts.renew, "extended"],
    [counts.resume, "given back"],
    [counts.suspend, "suspended"],
    [counts.revoke, "revoked"],
    [counts.grace, "kept for the days of grace"],
    [counts.refused, "refused"],
  ] as const;
  const told = parts
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${count(n)} ${word}`)
    .join(", ");
  if (isOnlyPlanned({ status })) return `Changed nothing. Planned: ${told || "nothing yet"}`;
  return told || (status === "completed" ? "Nothing to do" : "");
}

/** The counts of a run, with the words next to their numbers. */
export const countWords: readonly { of: keyof Run["counts"]; name: string }[] = [
  { of: "issue", name: "Issued" },
  { of: "confirming", name: "Asked to confirm the name" },
  { of: "renew", name: "Extended" },
  { of: "resume", name: "Given back" },
  { of: "suspend", name: "Suspended" },
  { of: "revoke", name: "Revoked" },
  { of: "grace", name: "Kept for the days of grace" },
  { of: "keep", name: "Stay as they are" },
  { of: "foreign", name: "Issued otherwise" },
  { of: "blocked", name: "Ended by a person" },
  { of: "refused", name: "Refused" },
];
