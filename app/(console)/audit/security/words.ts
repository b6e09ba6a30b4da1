import type { RouterOutputs } from "@/server/trpc/root";
import { scopeInWords } from "../../keys/scope-words";

export type SecurityEvent = RouterOutputs["organisation"]["security"]["data"][number];

/**
 * The kinds of security events of an organisation, in words. A refused token belongs to no organisation, so it is only
 * counted.
 */
export const typeWords = {
  sign_in_failed: "Wrong password",
  sign_in_limited: "Sign-in blocked for a while",
  second_factor_failed: "Wrong second factor",
  scope_refused: "Not allowed",
  link_misused: "Link that does not work",
  job_stopped: "Work stopped",
} as const;

const linkWords: Record<string, string> = {
  used: "used already",
  expired: "expired",
  other_purpose: "meant for something else",
  unknown: "unknown",
};
const purposeWords: Record<string, string> = {
  invite: "Invitation",
  password_reset: "Password link",
  setup: "Set-up link",
  email_verification: "E-mail link",
};

/** What happened, in a few words. */
export function inWords({ type, detail }: SecurityEvent): string {
  if (type === "sign_in_failed" && detail["by"] === "sftp") return "Wrong password or key for SFTP";
  if (type === "scope_refused" && detail["scope"]) return `Not allowed: ${scopeInWords(detail["scope"])}`;
  if (type === "link_misused")
    return `${purposeWords[detail["purpose"] ?? ""] ?? "Link"}, ${linkWords[detail["reason"] ?? ""] ?? "not usable"}`;
  if (type === "job_stopped" && detail["job"])
    return `${detail["job"].startsWith("blk_") ? "Bulk job" : "File"} stopped: whoever asked for it no longer may`;
  return type in typeWords ? typeWords[type as keyof typeof typeWords] : type;
}
