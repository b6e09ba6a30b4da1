import {
  Ban,
  CalendarClock,
  CalendarX2,
  CircleHelp,
  CirclePause,
  ShieldAlert,
  ShieldCheck,
  ShieldX,
  type LucideIcon,
} from "lucide-react";
import { formatExact, formatFrom, formatUntil, type Region } from "@/server/core/dates";
import { say } from "../words";
import type { OfflineDecision, OfflineReason } from "./judge";

export interface OfflineLook {
  icon: LucideIcon;
  word: string;
  /** What it means for the person who checks, in sentences. */
  meaning: string[];
  /** As in decision-looks.ts: white on these has a contrast of 5 or more. */
  tone: string;
}

/** Not the green of the service's answers, because the service was not asked. */
const genuine = "bg-[oklch(0.45_0.09_260)] text-white";
const refused = "bg-[oklch(0.52_0.19_26)] text-white";
const over = "bg-[oklch(0.42_0.012_235)] text-white";
const unclear = "bg-warning text-warning-foreground";

const looks: Record<OfflineReason | "valid" | "unconfirmed", Pick<OfflineLook, "icon" | "word" | "tone">> = {
  valid: { icon: ShieldCheck, word: "Signed, and not revoked as last known", tone: genuine },
  unconfirmed: { icon: ShieldAlert, word: "Signed and not revoked as last known, issuer not confirmed", tone: unclear },
  forged: { icon: ShieldX, word: "Not genuine", tone: refused },
  withdrawn_key: { icon: ShieldX, word: "Not to be relied on", tone: refused },
  // A status list does not say whether a credential was revoked, replaced or given an earlier end.
  revoked: { icon: Ban, word: "Ended by its issuer", tone: refused },
  suspended: { icon: CirclePause, word: "Suspended", tone: unclear },
  expired: { icon: CalendarX2, word: "Expired", tone: over },
  not_yet_valid: { icon: CalendarClock, word: "Not yet valid", tone: genuine },
  unknown_issuer: { icon: CircleHelp, word: "Could not be checked: unknown issuer", tone: unclear },
  unknown_key: { icon: CircleHelp, word: "Could not be checked: unknown key", tone: unclear },
  old_lists: { icon: CircleHelp, word: "Could not be checked: too long without a connection", tone: unclear },
  newer_than_lists: { icon: CircleHelp, word: "Could not be checked: newer than this device knows", tone: unclear },
  unsupported: { icon: CircleHelp, word: "Could not be checked in this browser", tone: unclear },
};

/** How an offline decision is displayed and worded. */
export function offlineLook(decision: OfflineDecision, now: Date, region: Region): OfflineLook {
  const { word, ...look } = looks[decision.reason ?? (decision.issuer?.nameVerified ? "valid" : "unconfirmed")];
  return { ...look, word: say(word), meaning: meaningOf(decision, now, region) };
}

function meaningOf({ reason, issuer, statement, named }: OfflineDecision, now: Date, region: Region): string[] {
  const known = issuer ? `${formatExact(issuer.keptAt, region)}, ${ago(issuer.keptAt, now)}` : "";
  const name = issuer?.name ?? "";
  const neither = say("That says nothing for or against the credential.");
  switch (reason) {
    case null:
      return [
        ...(issuer?.nameVerified ? [] : [say("Nobody confirms who the issuer is: it gives itself its name.")]),
        say("Neither revoked nor suspended as of {known}.", { known }),
        say("Whether it was revoked since then cannot be known without a connection."),
      ];
    case "forged":
      return [say("The signature does not fit what the QR code says. Do not accept it.")];
    case "withdrawn_key":
      return [
        say(
          "{name} withdrew the key that signed this QR code, because somebody else may have it. Do not accept it without a connection.",
          { name },
        ),
      ];
    case "revoked":
      return [
        say(
          "The list of {known}, says so: the issuer revoked or replaced it, or gave it an earlier end. This is permanent. Do not accept it.",
          { known },
        ),
      ];
    case "suspended":
      return [say("The list of {known}, says so. It may have become valid again since.", { known })];
    case "expired":
      return [
        say("It was valid through {day}, by the clock of this device.", {
          day: formatUntil(statement!.expiresAt!, region),
        }),
      ];
    case "not_yet_valid":
      return [
        say("It becomes valid on {day}, by the clock of this device.", {
          day: formatFrom(statement!.validFrom, region),
        }),
      ];
    case "unknown_issuer":
      return [
        say("The QR code names the issuer “{named}”, which this device does not know. Anybody can write such a name.", {
          named: named.slice(0, 80),
        }),
        `${neither} ${say("Add the issuer below as soon as there is a connection.")}`,
      ];
    case "unknown_key":
      return [
        say("{name} had no such key as of {known}. Either the key is newer, or somebody else signed this.", {
          name,
          known,
        }),
        `${neither} ${say("Do not rely on it.")}`,
      ];
    case "old_lists":
      return [
        say("{name} signed it. But what this device knows of revocations is of {known}, which is too old to rely on.", {
          name,
          known,
        }),
        neither,
      ];
    case "newer_than_lists":
      return [
        say("{name} signed it. But it is newer than what this device knows of revocations, which is of {known}.", {
          name,
          known,
        }),
        neither,
      ];
    case "unsupported":
      return [say("This browser cannot check Ed25519 signatures. Update it."), neither];
  }
}

/** Returns an age as words that follow a time. */
export function ago(since: Date | string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(since).getTime()) / 60_000);
  if (minutes < 1) return say("less than a minute ago");
  if (minutes < 60) return minutes === 1 ? say("1 minute ago") : say("{n} minutes ago", { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? say("1 hour ago") : say("{n} hours ago", { n: hours });
  return say("{n} days ago", { n: Math.floor(hours / 24) });
}
