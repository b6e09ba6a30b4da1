import type { Chance } from "./chance";
import { cohorts } from "./groups";
import { policies } from "./policies";
import { staff, students, type Person } from "./people";
import {
  arrives,
  expires,
  isIssued,
  isReissued,
  isResumed,
  isRevoked,
  isSuspended,
  isVerified,
  leaves,
} from "./scenes";
import type { Calendar, Scene } from "./stage";

const studentCount = 84;
const staffCount = 36;
/** Number of staff who visited for a few days; their cards expired at the end of the visit. */
const visitors = 6;

/**
 * Returns the scenes of four weeks at Northwind University, ordered by time. Everyone who verifies, issues or revokes
 * is invented.
 */
export function storyOf(calendar: Calendar, chance: Chance): Scene[] {
  const learners = students(studentCount, chance, calendar);
  const employees = staff(staffCount, studentCount);
  const scenes = [
    ...enrolment(learners, calendar, chance),
    ...employment(employees, calendar, chance),
    ...graduation(learners.slice(8, 32), calendar, chance),
    ...incidents(learners, employees, calendar),
    ...cohorts(learners, calendar),
    ...policies(calendar),
    ...verifications(learners, calendar, chance),
  ];
  return scenes.filter(({ at }) => at <= calendar.now).sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Most enrol in the first days of term, the rest one by one until today. The last few have cards for next term. */
function enrolment(learners: Person[], { day, minutesAgo, isWeekend, date }: Calendar, chance: Chance): Scene[] {
  const later = Array.from({ length: 24 }, (_, i) => 24 - i).filter((daysAgo) => !isWeekend(daysAgo));
  return learners.flatMap((person, i) => {
    const at =
      i < 40
        ? day(27 - (i % 3), 9 + (i % 7), (i * 11) % 60)
        : i < 80
          ? day(later[(i - 40) % later.length]!, chance.between(8, 16), chance.between(0, 59))
          : minutesAgo(400 - (i - 80) * 95);
    const issuedAt = new Date(at.getTime() + chance.between(2, 25) * 60_000);
    const nextTerm = i >= 75 && i < 80 ? { validFrom: `${date(21)}T00:00:00Z` } : {};
    return [arrives(person, at), isIssued(person, "student", issuedAt, "system", nextTerm)];
  });
}

function employment(employees: Person[], { day }: Calendar, chance: Chance): Scene[] {
  return employees.flatMap((person, i) => {
    const at = day(26 - Math.floor((i * 24) / staffCount), chance.between(8, 15), chance.between(0, 59));
    const issuedAt = new Date(at.getTime() + chance.between(5, 90) * 60_000);
    if (i >= visitors) return [arrives(person, at), isIssued(person, "staff", issuedAt, "registrar")];
    const until = new Date(issuedAt.getTime() + (7 + i) * 86_400_000);
    return [
      arrives(person, at),
      isIssued(person, "staff", issuedAt, "registrar", { expiresAt: until.toISOString() }),
      expires(person, "staff", until),
    ];
  });
}

function graduation(graduates: Person[], { day }: Calendar, chance: Chance): Scene[] {
  return graduates.map((person, i) =>
    isIssued(person, "certificate", day(8, 10, i % 20), "registrar", {
      data: {
        results: { grade: chance.pick(["Distinction", "Merit", "Merit", "Pass"]) },
        creditsEarned: chance.pick([60, 60, 75]),
      },
    }),
  );
}

function incidents(learners: Person[], employees: Person[], { day, minutesAgo }: Calendar): Scene[] {
  const [s, e] = [(i: number) => learners[i]!, (i: number) => employees[i]!];
  return [
    isSuspended(s(3), "student", day(19, 14, 10), "registrar", "Enrolment is being checked."),
    isResumed(s(3), "student", day(16, 9, 35), "registrar"),
    isSuspended(s(11), "student", day(9, 11, 20), "registrar", "Enrolment is being checked."),
    isSuspended(s(27), "student", day(5, 16, 5), "owner", "Reported lost by its holder."),
    isSuspended(e(21), "staff", day(3, 8, 45), "registrar", "On leave."),
    isSuspended(s(34), "student", day(1, 13, 15), "registrar", "Reported lost by its holder."),
    isReissued(s(30), "student", day(6, 10, 40), "registrar", "Replaced: the holder's name changed."),
    isReissued(s(16), "student", day(2, 15, 25), "owner", "Replaced after it was lost."),
    isRevoked(s(6), "student", day(20, 12, 0), "system", "The holder left the university."),
    leaves(s(6), day(20, 12, 1)),
    isRevoked(s(33), "student", day(13, 12, 0), "system", "The holder left the university."),
    leaves(s(33), day(13, 12, 1)),
    isRevoked(e(8), "staff", day(7, 17, 30), "registrar", "The employment ended."),
    leaves(e(8), day(7, 17, 31)),
    isRevoked(
      s(9),
      "certificate",
      day(4, 11, 50),
      "owner",
      "Issued in error: the final grade was not confirmed.",
      "Asked for by the examination board, protocol 41.",
    ),
    isRevoked(s(37), "student", day(2, 9, 10), "system", "The holder transferred to another university."),
    isRevoked(e(13), "staff", minutesAgo(52), "registrar", "The employment ended."),
  ];
}

/** Cards and certificates are verified every day, also ones that are no longer valid. */
function verifications(holders: Person[], { day, minutesAgo }: Calendar, chance: Chance): Scene[] {
  const early = holders.slice(0, 40);
  const daily = Array.from({ length: 60 }, (_, i) =>
    isVerified(
      chance.pick(early),
      "student",
      day(23 - Math.floor(i / 2.7), chance.between(7, 20), chance.between(0, 59)),
      chance.between(1, 4),
    ),
  );
  const lately = [171, 96, 38, 12].map((minutes) => isVerified(chance.pick(early), "student", minutesAgo(minutes), 1));
  return [
    ...daily,
    ...lately,
    isVerified(holders[9]!, "certificate", minutesAgo(27), 1),
    isVerified(holders[6]!, "student", minutesAgo(19), 2),
  ];
}
