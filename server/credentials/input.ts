import { z } from "zod";
import { metadata } from "@/server/core/free-json";
import { id, line, timestamp } from "@/server/core/input";
import { attributes } from "@/server/subjects/attributes";
import { externalId } from "@/server/subjects/external-id";
import { subjectFields } from "@/server/subjects/input";

/** A public reason, which everyone who verifies the credential sees. */
export const publicReason = line(500)
  .min(1, "must not be empty")
  .meta({ description: "Public: shown to anyone who verifies the credential." });

/** A note that only the organisation sees. */
export const privateNote = z
  .string()
  .trim()
  .max(2000)
  .optional()
  .meta({ description: "Private: kept in the history, never shown to verifiers." });

/**
 * The data that the caller stores with a credential. Two keys are reserved: an academic credential keeps its snapshot
 * under them.
 */
export const credentialData = attributes
  .refine(
    (data) => !("subject" in data) && !("attributes" in data),
    "must not hold the keys subject and attributes, which are kept for the snapshot",
  )
  .meta({
    description:
      "Data of this credential, which a design reads as credential.data.<path>. A field that reads attributes.<path> shows the value under the same path here, where there is one, before the subject's attribute; the subject stays as it is. What a field writes as a date, a time or a number must be one: a date such as 2029-01-19 or an RFC 3339 time, and a number or its text; null and lists of them are taken too. An academic credential states its award from results, creditsEarned, awardedDate and evidence: [{url, name, narrative, description, genre, audience}], of which each has a url, a name or a narrative. At most 64 KiB and 8 levels deep.",
  });

const subject = z
  .strictObject({ id: id("sub").optional(), externalId: externalId.optional(), ...subjectFields })
  .superRefine((value, issue) => {
    if ((value.id === undefined) === (value.externalId === undefined))
      issue.addIssue({ code: "custom", message: "needs either an id or an externalId" });
    else if (value.id !== undefined && Object.keys(value).length > 1)
      issue.addIssue({
        code: "custom",
        params: { code: "exclusive" },
        message: "takes other fields with an externalId alone: they are an upsert",
      });
  })
  .meta({
    description:
      "By id, or by externalId. With further fields, or where there is no such externalId yet, the subject is upserted.",
  });

/** A year outside this range is a mistake, and RFC 3339 could not express it in every time zone. */
const instant = timestamp.refine(
  (at) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() < 9999,
  "must be between the years 1900 and 9998",
);

export const expiresAt = instant
  .nullable()
  .optional()
  .meta({ description: "As the template's validity says unless sent; null is never." });

/** The terms of a credential: its validity and its data. */
export const terms = {
  validFrom: instant
    .optional()
    .meta({ description: "From now on unless sent. Ahead: the credential is pending until then." }),
  expiresAt,
  data: credentialData.optional(),
  metadata,
};

export const issueInput = z.strictObject({
  subject,
  templateId: id("tpl"),
  achievementId: id("ach").optional().meta({
    description:
      "The achievement that the credential states, in its current version; for academic templates that name none themselves.",
  }),
  ...terms,
  ifExists: z.enum(["return", "fail", "replace"]).optional().meta({
    description:
      "Where the subject holds a live credential of this template: fail (the default) is 409, return answers it, replace revokes it as superseded. Not allowed for a repeatable template, of which a subject can hold several.",
  }),
});
export type IssueInput = z.output<typeof issueInput>;
