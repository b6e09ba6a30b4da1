import { dayOf, isInstant } from "@/server/core/dates";
import { isObject, textOf, type JsonObject } from "@/server/standards/json";
import { achievementOf, longestText, subjectOf, titleOf, wordOf, type DocumentField } from "./document-parts";
import { evidenceFields, resultFields, scalar } from "./document-results";

const longestLabel = 200;

/**
 * The content of a document besides its issuer, holder and dates (Open Badges 3.0): the achievement, how it is earned,
 * results, credits, the day of the award and evidence. Leaves out what the title of the answer already says.
 */
export function documentFields(
  document: JsonObject,
  title = titleOf(document),
  timeZone = "UTC",
): Required<DocumentField>[] {
  const achievement = achievementOf(document);
  const subject = subjectOf(document);
  const criteria = isObject(achievement["criteria"]) ? achievement["criteria"] : {};
  const narrative = wordOf(criteria["narrative"]);
  const found: DocumentField[] = [
    ...stated("description", "Description", wordOf(document["description"]) ?? wordOf(achievement["description"])),
    ...stated("achievement", "Achievement", wordOf(achievement["name"])),
    ...stated("fieldOfStudy", "Field of study", wordOf(achievement["fieldOfStudy"])),
    ...stated("specialization", "Specialisation", wordOf(achievement["specialization"])),
    ...stated("humanCode", "Catalogue code", scalar(achievement["humanCode"])),
    ...resultFields(document),
    ...stated("creditsEarned", "Credits earned", scalar(subject["creditsEarned"])),
    ...awarded(document, timeZone),
    ...stated("criteria", "Criteria", narrative ?? textOf(criteria["id"]), narrative !== undefined),
    ...evidenceFields(document),
    ...stated("subjectId", "Holder's id", textOf(subject["id"])),
    ...stated("id", "Credential id", textOf(document["id"])),
  ];
  return found
    .filter(({ value }) => value.trim() !== "" && value !== title)
    .map(({ key, label, value, format = "text" }) => ({
      key,
      label: label.slice(0, longestLabel),
      value: value.slice(0, longestText),
      format,
    }));
}

/** The day of the award, if it differs from the beginning of the credential. */
function awarded({ awardedDate, validFrom, issuanceDate }: JsonObject, timeZone: string): DocumentField[] {
  const [day, first] = [awardedDate, validFrom ?? issuanceDate].map((time) => {
    const text = textOf(time);
    return text !== undefined && isInstant(text) ? dayOf(text, timeZone) : undefined;
  });
  return day === undefined || day === first
    ? []
    : [{ key: "awardedDate", label: "Awarded on", value: day, format: "date" }];
}

const stated = (key: string, label: string, value: string | undefined, isMarkdown = false): DocumentField[] =>
  value === undefined ? [] : [{ key, label, value, ...(isMarkdown && { format: "markdown" }) }];
