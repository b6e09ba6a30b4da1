import { csvRow } from "@/server/core/csv-row";
import { formatCode } from "@/server/credentials/code";
import type { Verification } from "@/server/verification/view";
import { say } from "../words";

/** A code that was accepted at a place. No name is stored: the console finds people by their codes. */
export interface Attendee {
  /** Stored form, without hyphens. */
  code: string;
  title: string;
  at: string;
  /** Whether the service was asked, or only this device decided. */
  withConnection: boolean;
  /** The service refused the code later. */
  refusedLater?: boolean;
}

/** A named place or event, and the distinct codes that were accepted there. */
export interface Place {
  name: string;
  attendees: Attendee[];
}

interface Stored {
  /** The place that is counted now; null for none. */
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

/** @throws if the device has no storage left */
function write(stored: Stored): void {
  localStorage.setItem(key, JSON.stringify(stored));
  window.dispatchEvent(new Event("bonafide:attendance"));
}

/** Starts to count for this place, or continues an earlier count. */
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

/** Counts a code once at the present place; null if no place is counted. */
export function count(attendee: Attendee): Counted | null {
  const stored = readAttendance();
  const place = stored.places.find(({ name }) => name === stored.current);
  if (!place) return null;
  const before = place.attendees.find(({ code }) => code === attendee.code);
  if (before && !before.refusedLater) return { kind: "again", at: before.at };
  // The credential was resumed after the refusal.
  if (before) place.attendees[place.attendees.indexOf(before)] = attendee;
  else place.attendees.push(attendee);
  write(stored);
  return { kind: "counted", place: place.name, count: place.attendees.length };
}

/**
 * Stores the service's answer for a code that was accepted offline, at each place where it was scanned.
 *
 * @param wasValidAt whether the service's answer applies to the time of a scan
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

/** Whether a code was accepted offline somewhere and refused by the service later. */
export const isMarkedRefused = (code: string): boolean =>
  readAttendance().places.some(({ attendees }) => attendees.some((each) => each.code === code && each.refusedLater));

/**
 * Whether a credential was valid at the time of a scan, by the service's present answer. A credential that expired or
 * was revoked after the scan was rightly accepted (docs/decisions/489).
 */
export function wasValidAt({ result, state, credential }: Verification, at: string): boolean {
  if (result === "valid") return true;
  const isLater = (instant: string | null) => instant === null || Date.parse(instant) > Date.parse(at);
  return (state === "expired" || state === "revoked") && isLater(credential.expiresAt) && isLater(credential.revokedAt);
}

/** The codes that were accepted offline and have not been checked with the service since. */
export const openCodes = (): string[] => [
  ...new Set(
    readAttendance().places.flatMap(({ attendees }) =>
      attendees.filter(({ withConnection }) => !withConnection).map(({ code }) => code),
    ),
  ),
];

/** Counts accepted, later refused and unchecked codes: "23 accepted, 1 refused later, 4 not yet checked online". */
export function countWords({ attendees }: Pick<Place, "attendees">): string {
  const refused = attendees.filter(({ refusedLater }) => refusedLater).length;
  const open = attendees.filter(({ withConnection }) => !withConnection).length;
  return [
    say("{n} accepted", { n: attendees.length - refused }),
    ...(refused > 0 ? [say("{n} refused later", { n: refused })] : []),
    ...(open > 0 ? [say("{n} not yet checked online", { n: open })] : []),
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
