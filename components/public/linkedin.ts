import { dayOf, lastDayOf, type Region } from "@/server/core/dates";

interface Added {
  title: string;
  issuer: Region & { name: string };
  validFrom: string;
  /** Includes `awardedDate` if the award was made on another day than the credential begins. */
  fields: readonly { key: string; value: unknown }[];
  expiresAt: string | null;
  code: string;
  url: string;
}

/** Returns the URL of LinkedIn's form that adds a certification to a profile, with the known fields filled in. */
export function addToProfileUrl({ title, issuer, validFrom, fields, expiresAt, code, url }: Added): string {
  const awarded = fields.find(({ key }) => key === "awardedDate")?.value;
  const [issueYear, issueMonth] = monthOf(typeof awarded === "string" ? awarded : dayOf(validFrom, issuer.timeZone));
  const parameters = new URLSearchParams({
    startTask: "CERTIFICATION_NAME",
    name: title,
    organizationName: issuer.name,
    issueYear,
    issueMonth,
  });
  if (expiresAt) {
    const [year, month] = monthOf(lastDayOf(expiresAt, issuer.timeZone));
    parameters.set("expirationYear", year);
    parameters.set("expirationMonth", month);
  }
  parameters.set("certUrl", url);
  parameters.set("certId", code);
  return `https://www.linkedin.com/profile/add?${parameters}`;
}

/** The year and the month, without a leading zero. */
function monthOf(day: string): [year: string, month: string] {
  const [year, month] = day.split("-");
  return [year!, String(Number(month))];
}
