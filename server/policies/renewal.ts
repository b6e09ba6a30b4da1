import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";

/** The longest that a unit of `before` can last, in hours. */
const longest = { h: 1, d: 24, w: 168, mo: 31 * 24 };
/** The shortest that a unit of a validity can last, in hours. */
const shortest = { hours: 1, days: 24, weeks: 168, months: 28 * 24, years: 365 * 24 };
/** The units that are whole months. Months and years are compared exactly. */
const months: Partial<Record<string, number>> = { mo: 1, months: 1, years: 12 };

/**
 * Returns the reason why a policy cannot extend the credentials of a template, as the end of a sentence; undefined if it
 * can.
 * `before` has to be below the duration: otherwise a credential would be due again as soon as it was extended.
 */
export function renewalProblem(
  { kind, validity }: { kind: TemplateKind; validity: Validity },
  { before }: { before: string },
): { pointer: string; message: string } | undefined {
  if (kind === "academic")
    return { pointer: "/renewal", message: "is not for academic credentials, which are never extended" };
  if (validity.type !== "duration")
    return {
      pointer: "/renewal",
      message: "needs a template with a validity of type duration, by which a credential is extended",
    };
  if (isBelow(before, validity)) return undefined;
  const { amount, unit } = validity;
  return {
    pointer: "/renewal/before",
    message: `must be below the template's validity of ${amount} ${amount === 1 ? unit.slice(0, -1) : unit}, by which a credential is extended`,
  };
}

function isBelow(before: string, { amount, unit }: Extract<Validity, { type: "duration" }>): boolean {
  const [, number, short] = /^(\d+)(\D+)$/.exec(before)! as unknown as [string, string, keyof typeof longest];
  const [inMonths, ofMonths] = [months[short], months[unit]];
  return inMonths && ofMonths
    ? Number(number) * inMonths < amount * ofMonths
    : Number(number) * longest[short] < amount * shortest[unit];
}
