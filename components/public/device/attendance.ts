import { csvRow } from "@/server/core/csv-row";
import { formatCode } from "@/server/credentials/code";
import type { Verification } from "@/server/verification/view";
import { say } from "../words";

/** A code that was accepted at a place. No name is kept: the console finds people by their codes. */
export interface Attendee {
  /** Stored form, without hyphens. */
  code: string;
  title: string;
  at: string;
  /** Whether the service was asked, or only this device. */
  withConnection: boolean;
  /** The service refused it when it could be asked. */
  refusedLater?: boolean;
}

/** A named place or event, and the distinct codes that were accepted there. */
export interface Place {
  name: string;
  attendees: Attendee[];
}

interface Stored {
  /** The place for which is counted now; null for none. */
  current: string | null;
  places: Place[];
}

const key = "bonafide.attendance";

export function readAttendance(): Stored {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") as Stored;
  } catch {
    return { current: null, places: [] };
  }
}

/** @throws where the device has no room */
function write(stored: Stored): void {
  localStorage.setItem(key, JSON.stringify(stored));
  window.dispatchEvent(new Event("bonafide:attendance"));
}

/** Counts for this place from now on; goes on where it was counted there before. */
export function startCounting(name: string): void {
  const { places } = readAttendance();
  const isKnown = places.some((place) => place.name === name);
  write({ current: name, places: isKnown ? places : [...places, { name, attendees: [] }] });
}

export const stopCounting = (): void => write({ ...readAttendance(), current: null });

export function forgetPlace(name: string): void {
  const { current, places } = readAttendance();
  write({ current: current === name ? null : current, places: places.filter((place) => place.name !== name) });
}

export type Counted = { kind: "counted"; place: string; count: number } | { kind: "again"; at: string };

/** Counts a code once at the present place; null where nothing is counted. */
export function count(attendee: Attendee): Counted | null {
  const stored = readAttendance();
  const place = stored.places.find(({ name }) => name === stored.current);
  if (!place) return null;
  const before = place.attendees.find(({ code }) => code === attendee.code);
  if (before && !before.refusedLater) return { kind: "again", at: before.at };
  // Resumed since it was refused.
  if (before) place.attendees[place.attendees.indexOf(before)] = attendee;
  else place.attendees.push(attendee);
  write(stored);
  return { kind: "counted", place: place.name, count: place.attendees.length };
}

/**
 * Notes what the service said of a code that was accepted without it, at each place where it was.
 * @param wasValidAt whether the answer of the service holds for the time of a scan
 */
export function correct(code: string, wasValidAt: (at: string) => boolean): void {
  const stored = readAttendance();
  const open = stored.places.flatMap(({ attendees }) =>
    attendees.filter((each) => each.code === code && !each.withConnection),
  );
  if (open.length === 0) return;
  for (const attendee of open)
    Object.assign(attendee, { withConnection: true, ...(!wasValidAt(attendee.at) && { refusedLater: true }) });
  write(stored);
}

/** Whether a code was accepted somewhere without the service, which refused it later. */
export const isMarkedRefused = (code: string): boolean =>
  readAttendance().places.some(({ attendees }) => attendees.some((each) => each.code === code && each.refusedLater));

/**
 * Whether a credential was valid at the time of a scan, by what the service says of it now. One that expired or was
 * revoked after the scan was let in rightly (docs/decisions/489).
 */
export function wasValidAt({ result, state, credential }: Verification, at: string): boolean {
  if (result === "valid") return true;
  const isLater = (instant: string | null) => instant === null || Date.parse(instant) > Date.parse(at);
  return (state === "expired" || state === "revoked") && isLater(credential.expiresAt) && isLater(credential.revokedAt);
}

/** The codes that were accepted without the service and that it was not asked about since. */
export const openCodes = (): string[] => [
  ...new Set(
    readAttendance().places.flatMap(({ attendees }) =>
      attendees.filter(({ withConnection }) => !withConnection).map(({ code }) => code),
    ),
  ),
];

/** How many were accepted, refused later, and not asked about yet: "23 accepted, 1 refused later, 4 not asked yet". */
export function countWords({ attendees }: Pick<Place, "attendees">): string {
  const refused = attendees.filter(({ refusedLater }) => refusedLater).length;
  const open = attendees.filter(({ withConnection }) => !withConnection).length;
  return [
    say("{n} accepted", { n: attendees.length - refused }),
    ...(refused > 0 ? [say("{n} refused later", { n: refused })] : []),
    ...(open > 0 ? [say("{n} not asked yet", { n: open })] : []),
  ].join(", ");
}

/** The attendance of a place as CSV. */
export const attendanceCsv = ({ name, attendees }: Place): string =>
  [
    csvRow(["place", "scanned_at", "code", "credential", "checked", "result"]),
    ...attendees.map(({ code, title, at, withConnection, refusedLater }) =>
      csvRow([
        name,
        at,
        formatCode(code),
        title,
        withConnection ? "with connection" : "without connection",
        refusedLater ? "accepted, refused later" : "accepted",
      ]),
    ),
  ].join("");
