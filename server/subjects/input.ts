import { z } from "zod";
import { line } from "@/server/core/input";
import { attributes } from "./attributes";

export const externalId = line(255).min(1, "must not be empty").meta({ description: "The caller's own key. Upserts are idempotent on it." });

/** What an upsert takes beside externalId. An absent field is left as it was. */
export const subjectFields = {
  displayName: line(300).optional(),
  email: z.union([z.email().max(320), z.literal("")]).nullable().optional().meta({ description: "null or an empty string removes it." }),
  status: z.enum(["active", "inactive"]).optional(),
  attributes: attributes.optional(),
  attributesMode: z.enum(["merge", "replace"]).optional().meta({
    description: "merge (the default): deep for objects, arrays and scalars replaced, null removes a key. replace: exactly what is sent.",
  }),
};

/** The body of PUT /v1/subjects, also a row of every feed. */
export const upsertInput = z.strictObject({ externalId, ...subjectFields });
export type UpsertInput = z.output<typeof upsertInput>;
