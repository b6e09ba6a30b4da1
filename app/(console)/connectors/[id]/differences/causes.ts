import type { RouterOutputs } from "@/server/trpc/root";

export type Difference = RouterOutputs["connectors"]["drift"]["data"][number];
export type Cause = Difference["cause"];
export type Side = "there" | "gone" | "never";

/** A kind of difference, in the words of the screen. */
interface SideWords {
  side: Side;
  title: string;
  /** What the difference means and what to do about it. */
  description: string;
  /** What the screen says if there is none. */
  none: string;
  causes: readonly Cause[];
}

/** The differences in the order in which somebody deals with them. */
export const sides: readonly SideWords[] = [
  {
    side: "there",
    title: "In the directory, not active here",
    description:
      "Activate them here, or let the directory send them again, as Force Sync does in Okta. Whoever is sent again as active is active here.",
    none: "Everybody who is active in the directory is active here.",
    causes: ["inactive", "awaited"],
  },
  {
    side: "gone",
    title: "Gone from the directory, still active here",
    description:
      "The directory sent them before and has removed them since. Decide on removals that wait on the tab Set-up, and deactivate here who has left.",
    none: "Everybody whom the directory removed is inactive here.",
    causes: ["staged", "deactivated", "deleted"],
  },
  {
    side: "never",
    title: "Never sent by this directory",
    description:
      "Active here, and from neither this directory nor another connector. Nothing needs to be done where the directory has only some of your people. Otherwise assign them to the application there.",
    none: "Everybody who is active here comes from this directory or another connector.",
    causes: ["never"],
  },
];

/** The cause in a few words, for a filter. */
export const causeNames: Record<Cause, string> = {
  inactive: "Inactive here",
  awaited: "Only a member of a group",
  staged: "Waits for approval",
  deactivated: "Deactivated there",
  deleted: "Deleted there",
  never: "Never sent",
};

const sourceNames: Record<string, string> = { api: "the API", console: "the console" };

/** Why somebody differs. */
export function whyDifferent({ cause, sources }: Difference): string {
  const from = sources.map((source) => sourceNames[source] ?? source).join(" and ");
  if (cause === "inactive") return "Inactive here: somebody here or another source deactivated them";
  if (cause === "awaited") return "In a group there, but not sent as a person: assign them to the application there";
  if (cause === "staged") return "Removed there, and waits for your approval";
  if (cause === "never") return from ? `Added by ${from}` : "Added by a connector that was deleted";
  const ended = cause === "deleted" ? "Deleted there" : "Deactivated there";
  return from ? `${ended}, and kept active here by ${from}` : `${ended}, and active here again`;
}
