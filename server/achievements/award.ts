import { z } from "zod";
import { dayOf, isDay, isInstant } from "@/server/core/dates";
import { invalidInput, parseInput } from "@/server/core/input";
import { isPartOfBadges } from "./part-of-badges";
import { named, paragraphs, url } from "./texts";

/** The most pieces of evidence of a credential. */
export const maxEvidence = 20;

/**
 * One piece of evidence for an award, in the terms of Open Badges 3.0 (`Evidence`): `url` is its `id`. `narrative` is
 * Markdown.
 */
const piece = z
  .strictObject({
    url: url.optional(),
    name: named(300).optional(),
    narrative: paragraphs(5000).optional(),
    description: paragraphs(5000).optional(),
    genre: named(100).optional(),
    audience: named(100).optional(),
  })
  .refine((value) => value.url !== undefined || value.name !== undefined || value.narrative !== undefined, {
    path: ["name"],
    message: "must be given where there is neither a url nor a narrative",
  });

/** Addresses with which that of a piece of evidence is compared. */
interface Surroundings {
  now: Date;
  /** When the credential begins. */
  validFrom: Date;
  /** The address of the criteria of the stated achievement; null for none. */
  criteriaUrl: string | null;
  /** The page of the credential; absent before it is issued. */
  page?: string;
}

/**
 * Refuses an address that is also the id of another part of the document: a program that reads the document would treat
 * both as one thing (decision 553).
 */
function requireOwnAddresses(pieces: z.output<typeof piece>[], { criteriaUrl, page }: Surroundings): void {
  const issues = pieces.flatMap(({ url }, at) => {
    const message =
      url === undefined
        ? undefined
        : url === criteriaUrl
          ? "is the page of the achievement's criteria, which the credential names already. Give the address of what this person handed in"
          : url === page || isPartOfBadges(url)
            ? "is an address by which this service names a part of the credential itself. Give the address of what this person handed in"
            : undefined;
    return message === undefined
      ? []
      : [{ pointer: `/data/evidence/${at}/url`, code: "not_supported" as const, message }];
  });
  if (issues.length > 0) throw invalidInput(issues);
}

/**
 * A program that reads the credential treats two pieces with the same address as one, and cannot tell which name
 * belongs to which.
 */
function refuseRepeated(pieces: z.output<typeof piece>[], issue: z.RefinementCtx): void {
  const urls = pieces.map(({ url }) => url);
  for (const [at, url] of urls.entries())
    if (url !== undefined && urls.indexOf(url) < at)
      issue.addIssue({ code: "custom", path: [at, "url"], params: { code: "repeated" }, message: "is given twice" });
}

const awardedDate = z
  .string()
  .max(40)
  .refine(
    (text) => (isDay(text) || isInstant(text)) && text >= "1900",
    "must be a date such as 2026-07-01, or a time with its zone such as 2026-07-01T10:00:00Z, from 1900 on",
  );

const award = z.looseObject({
  data: z.looseObject({
    evidence: z.array(piece).max(maxEvidence).superRefine(refuseRepeated).nullish(),
    awardedDate: awardedDate.nullish(),
  }),
});

/**
 * Checks the data of an academic credential about its award: `evidence` and `awardedDate`. A signed document cannot be
 * corrected.
 *
 * @throws DomainError invalid_request, with a pointer below `/data` to each invalid value
 */
export function requireAward(data: Record<string, unknown>, surroundings: Surroundings): void {
  const { now, validFrom } = surroundings;
  const { awardedDate: awarded, evidence } = parseInput(award, { data }).data;
  requireOwnAddresses(evidence ?? [], surroundings);
  if (typeof awarded !== "string") return;
  const last = validFrom > now ? validFrom : now;
  const isAhead = isDay(awarded) ? awarded > dayOf(last, earliestZone) : new Date(awarded) > last;
  if (isAhead)
    throw invalidInput([
      {
        pointer: "/data/awardedDate",
        code: "future",
        message: "is ahead: an award is made by today, or by the day on which its credential begins (validFrom)",
      },
    ]);
}

/** The earliest beginning of each day in any zone, because the caller's zone is unknown here. */
const earliestZone = "Pacific/Kiritimati";
