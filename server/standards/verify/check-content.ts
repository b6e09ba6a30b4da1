import type { StandardCheck } from "./check";

/** Says that what a document states of two things may have been swapped (decision 553). */
export const sharedId = (id: string): StandardCheck => ({
  name: "content",
  outcome: "error",
  detail: `It names two different things by one id, ${id.slice(0, 300)}. The signature does not tell which statement is about which of them, so somebody may have moved or swapped them. Ask the issuer what it issued.`,
});
