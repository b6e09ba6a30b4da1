import {
  Ban,
  CalendarClock,
  CalendarX2,
  CircleHelp,
  CirclePause,
  ShieldCheck,
  ShieldX,
  type LucideIcon,
} from "lucide-react";
import { formatExact, formatFrom, formatUntil, type Region } from "@/server/core/dates";
import type { OfflineDecision, OfflineReason } from "./judge";

export interface OfflineLook {
  icon: LucideIcon;
  word: string;
  /** What it means for whoever checks, in sentences. */
  meaning: string[];
  /** As in decision-looks.ts: white on these has a contrast of 5 or more. */
  tone: string;
}

/** Not the green of an answer of the service: nobody was asked just now. */
const genuine = "bg-[oklch(0.45_0.09_260)] text-white";
const refused = "bg-[oklch(0.52_0.19_26)] text-white";
const over = "bg-[oklch(0.42_0.012_235)] text-white";
const unclear = "bg-warning text-warning-foreground";

const looks: Record<OfflineReason | "valid", Pick<OfflineLook, "icon" | "word" | "tone">> = {
  valid: { icon: ShieldCheck, word: "Signed, and not revoked as last known", tone: genuine },
  forged: { icon: ShieldX, word: "Not genuine", tone: refused },
  withdrawn_key: { icon: ShieldX, word: "Not to be relied on", tone: refused },
  revoked: { icon: Ban, word: "Revoked", tone: refused },
  suspended: { icon: CirclePause, word: "Suspended", tone: unclear },
  expired: { icon: CalendarX2, word: "Expired", tone: over },
  not_yet_valid: { icon: CalendarClock, word: "Not yet valid", tone: genuine },
  unknown_issuer: { icon: CircleHelp, word: "Could not be checked: unknown issuer", tone: unclear },
  unknown_key: { icon: CircleHelp, word: "Could not be checked: unknown key", tone: unclear },
  old_lists: { icon: CircleHelp, word: "Could not be checked: too long without a connection", tone: unclear },
  newer_than_lists: { icon: CircleHelp, word: "Could not be checked: newer than this device knows", tone: unclear },
  unsupported: { icon: CircleHelp, word: "Could not be checked in this browser", tone: unclear },
};

/** How a decision without a connection is shown and said. */
export function offlineLook(decision: OfflineDecision, now: Date, region: Region): OfflineLook {
  return { ...looks[decision.reason ?? "valid"], meaning: meaningOf(decision, now, region) };
}

const neither = "That says nothing for or against the credential.";

function meaningOf({ reason, issuer, statement, named }: OfflineDecision, now: Date, region: Region): string[] {
  const known = issuer ? `${formatExact(issuer.keptAt, region)}, ${ago(issuer.keptAt, now)}` : "";
  switch (reason) {
    case null:
      return [
        `Neither revoked nor suspended as of ${known}.`,
        "Whether it was revoked since then cannot be known without a connection.",
      ];
    case "forged":
      return ["The signature does not fit what the QR code says. Do not accept it."];
    case "withdrawn_key":
      return [
        `${issuer!.name} withdrew the key that signed this QR code, because somebody else may have it. Do not accept it without a connection.`,
      ];
    case "revoked":
      return [`The list of ${known}, says so. This is permanent. Do not accept it.`];
    case "suspended":
      return [`The list of ${known}, says so. It may have become valid again since.`];
    case "expired":
      return [`It was valid through ${formatUntil(statement!.expiresAt!, region)}, by the clock of this device.`];
    case "not_yet_valid":
      return [`It becomes valid on ${formatFrom(statement!.validFrom, region)}, by the clock of this device.`];
    case "unknown_issuer":
      return [
        `The QR code names the issuer “${named.slice(0, 80)}”, which this device does not know. Anybody can write such a name.`,
        `${neither} Add the issuer below as soon as there is a connection.`,
      ];
    case "unknown_key":
      return [
        `${issuer!.name} had no such key as of ${known}. Either the key is newer, or somebody else signed this.`,
        `${neither} Do not rely on it.`,
      ];
    case "old_lists":
      return [
        `${issuer!.name} signed it. But what this device knows of revocations is of ${known}, and no longer to be relied on.`,
        neither,
      ];
    case "newer_than_lists":
      return [
        `${issuer!.name} signed it. But it is newer than what this device knows of revocations, which is of ${known}.`,
        neither,
      ];
    case "unsupported":
      return ["This browser cannot check Ed25519 signatures. Update it.", neither];
  }
}

/** How long ago, in words that follow a time. */
export function ago(since: Date | string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(since).getTime()) / 60_000);
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 60) return minutes === 1 ? "1 minute ago" : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? "1 hour ago" : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
