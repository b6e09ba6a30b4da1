import type { ClaimLinkView } from "@/server/claims/view";

/** How many places are taken, out of how many. */
export function placesOf({ placesTaken, maxClaims }: Pick<ClaimLinkView, "placesTaken" | "maxClaims">): string {
  const taken = placesTaken.toLocaleString("en");
  return maxClaims === null ? taken : `${taken} of ${maxClaims.toLocaleString("en")}`;
}

export const fieldChoices = [
  {
    value: "design",
    label: "Name, and what the card shows",
    description: "Every detail of the template’s design that a person can enter",
  },
  { value: "name", label: "The name alone" },
] as const;

export const approvalChoices = [
  { value: "no", label: "At once", description: "Whoever proves an address has it" },
  { value: "yes", label: "After approval", description: "Each claim waits until you approve it" },
] as const;
