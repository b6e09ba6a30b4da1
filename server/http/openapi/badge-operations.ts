import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { documentTypes } from "@/server/badges/document-form";
import { bytes } from "./file-content";
import { refusalResponses } from "./problem-schema";
import { refusalsOf } from "./refusals";
import { tagOf } from "./tags";

const tags = [tagOf("/public")];
const ifNoneMatch = z.string().max(2000).optional().meta({
  description: "The ETag of an earlier answer: 304 where nothing has changed since.",
});
const refusals = (operationId: string) =>
  refusalResponses(refusalsOf({ operationId, isPublic: true, takesBody: false, namesResource: true }));
const unchangedHeaders = z.object({ ETag: z.string(), Vary: z.string() });
const documentHeaders = z.object({ ...unchangedHeaders.shape, "Content-Disposition": z.string() });
const achievementHeaders = z.object({ ETag: z.string(), "Cache-Control": z.string() });

const achievement = z
  .object({
    "@context": z.array(z.string()),
    id: z.string().meta({ description: "This URL." }),
    type: z.array(z.string()),
    name: z.string(),
    description: z.string(),
    criteria: z.record(z.string(), z.string()),
    achievementType: z.string().optional(),
  })
  .catchall(z.unknown())
  .meta({ id: "AchievementDocument", description: "An Achievement of Open Badges 3.0." });

/** What anyone may read of academic credentials that other verifiers accept (contract section 9). */
export const badgeOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  {
    path: "/public/credentials/{code}/credential.json",
    method: "get",
    operationId: "publicCredentialDocument",
    tags,
    summary: "Get the signed document of an academic credential",
    description:
      "For credentials whose public page names the holder and shows the results and credits that the document states. An OpenBadgeCredential with an eddsa-rdfc-2022 proof; as vc+jwt where Accept names that first. 404 for all others, 410 once the holder was erased.",
    requestParams: {
      path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: {
      "200": {
        description: "The document.",
        headers: documentHeaders,
        content: Object.fromEntries(documentTypes.map((type) => [type, { schema: bytes(type) }])),
      },
      "304": { description: "As it was: If-None-Match names the document's ETag.", headers: unchangedHeaders },
      ...refusals("publicCredentialDocument"),
    },
  },
  {
    path: "/public/achievements/{id}",
    method: "get",
    operationId: "publicAchievement",
    tags,
    summary: "Get an achievement as credentials state it",
    description: "What achievement.id of a credential leads to: a published version, which never changes.",
    requestParams: {
      path: z.object({
        id: z.string().meta({ description: "Of the version.", example: "acv_01k4b00b2c3d4e5f6g7h8j9k0m" }),
      }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: {
      "200": {
        description: "The achievement.",
        headers: achievementHeaders,
        content: { "application/ld+json": { schema: achievement } },
      },
      "304": { description: "As it was: If-None-Match names the achievement's ETag.", headers: achievementHeaders },
      ...refusals("publicAchievement"),
    },
  },
];
