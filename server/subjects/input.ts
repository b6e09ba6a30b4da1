import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { emailAddress } from "@/server/core/email-address";
import { publicId, type Id } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { attributes } from "./attributes";
import { externalId } from "./external-id";

/** The fields of an upsert besides externalId. A field that is absent stays as it was. */
export const subjectFields = {
  displayName: line(300).optional(),
  email: z
    .union([emailAddress, z.literal("")])
    .nullable()
    .optional()
    .meta({ description: "null or an empty string removes it." }),
  status: z.enum(["active", "inactive"]).optional(),
  attributes: attributes.optional(),
  attributesMode: z.enum(["merge", "replace"]).optional().meta({
    description:
      "merge (the default): deep for objects, arrays and scalars replaced, null removes a key. replace: exactly what is sent.",
  }),
};

const ifExists = z.enum(["update", "fail"]).optional().meta({
  description:
    "Where the externalId is taken already: update (the default) changes that subject; fail is 409 external_id_taken, names it and changes nothing.",
});

/** The body of PUT /v1/subjects, also a row of every feed. */
export const upsertInput = z.strictObject({ externalId, ...subjectFields, ifExists });
export type UpsertInput = z.output<typeof upsertInput>;

/**
 * The refusal of an externalId that another subject has. It does not repeat the externalId, because bulk results are
 * stored and outlive an erasure.
 */
export function externalIdTaken(subjectId: Id<"sub"> | undefined): DomainError {
  return new DomainError("external_id_taken", "The externalId belongs to another subject of this organisation.", {
    ...(subjectId && { members: { subjectId: publicId("sub", subjectId) } }),
  });
}
