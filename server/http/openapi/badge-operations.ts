import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { badgeTypes } from "@/server/badges/baked-badge";
import { documentTypes } from "@/server/badges/document-form";
import { passMediaType } from "@/server/wallets/apple/pass-file";
import { googlePictureNames } from "@/server/wallets/google/pictures";
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

type BadgeOperation = ZodOpenApiOperationObject & { path: string; method: "get" | "post" };

interface PublicFileOperation {
  file: string;
  operationId: string;
  types: readonly string[];
  summary: string;
  description: string;
  /** Whether the form of the file depends on Accept. */
  vary?: boolean;
}

const whoGetsFiles =
  "For credentials whose public page names the holder and shows the results and credits that the file states. 404 for all others, 410 once the holder was erased.";

function fileOperation({ file, operationId, types, summary, description, vary }: PublicFileOperation): BadgeOperation {
  const headers = z.object(vary ? unchangedHeaders.shape : { ETag: z.string() });
  return {
    path: `/public/credentials/{code}/${file}`,
    method: "get",
    operationId,
    tags,
    summary,
    description: `${description} ${whoGetsFiles}`,
    requestParams: {
      path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: {
      "200": {
        description: "The file.",
        headers: headers.extend({ "Content-Disposition": z.string() }),
        content: Object.fromEntries(types.map((type) => [type, { schema: bytes(type) }])),
      },
      "304": { description: "As it was: If-None-Match names the file's ETag.", headers },
      ...refusals(operationId),
    },
  };
}

/** The answers of an operation that gives a picture. */
const pictureResponses = (operationId: string) => ({
  "200": {
    description: "The picture.",
    headers: achievementHeaders,
    content: { "image/png": { schema: bytes("image/png") } },
  },
  "304": { description: "As it was: If-None-Match names the picture's ETag.", headers: achievementHeaders },
  ...refusals(operationId),
});

/** What anyone may read of academic credentials that other verifiers accept (contract section 9). */
export const badgeOperations: BadgeOperation[] = [
  fileOperation({
    file: "badge.png",
    operationId: "publicBadgePng",
    types: [badgeTypes.png],
    summary: "Get the badge of an academic credential as PNG",
    description: "A picture with the signed document baked in: see /v1/credentials/{id}/badge.png.",
  }),
  fileOperation({
    file: "badge.svg",
    operationId: "publicBadgeSvg",
    types: [badgeTypes.svg],
    summary: "Get the badge of an academic credential as SVG",
    description: "A picture with the signed document baked in: see /v1/credentials/{id}/badge.svg.",
  }),
  fileOperation({
    file: "credential.pdf",
    operationId: "publicCertificate",
    types: ["application/pdf"],
    summary: "Get the certificate of an academic credential as PDF",
    description: "A page to print, with the signed document attached: see /v1/credentials/{id}/credential.pdf.",
  }),
  fileOperation({
    file: "credential.json",
    operationId: "publicCredentialDocument",
    types: documentTypes,
    summary: "Get the signed document of an academic credential",
    description: "An OpenBadgeCredential with an eddsa-rdfc-2022 proof; as vc+jwt where Accept names that first.",
    vary: true,
  }),
  {
    path: "/public/credentials/{code}/wallet/apple",
    method: "get",
    operationId: "publicApplePass",
    tags,
    summary: "Get the pass of a credential for Apple Wallet",
    description:
      "A signed .pkpass file, which an iPhone offers to add. It shows what the public page shows, and follows the credential from then on. Only while the credential is valid.",
    requestParams: { path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }) },
    responses: {
      "200": {
        description: "The pass.",
        headers: z.object({ "Content-Disposition": z.string() }),
        content: { [passMediaType]: { schema: bytes(passMediaType) } },
      },
      ...refusals("publicApplePass"),
    },
  },
  {
    path: "/public/credentials/{code}/wallet/google",
    method: "get",
    operationId: "publicGooglePass",
    tags,
    summary: "Add a credential to Google Wallet",
    description:
      "Makes the pass at Google where it is not there yet, and leads to Google's page that adds it. It shows what the public page shows, and follows the credential from then on. Only while the credential is valid.",
    requestParams: { path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }) },
    responses: {
      "303": {
        description: "The link to add the pass, https://pay.google.com/gp/v/save/ and a signed JWT.",
        headers: z.object({ Location: z.string() }),
      },
      ...refusals("publicGooglePass"),
    },
  },
  {
    path: "/public/designs/{id}/google/{name}",
    method: "get",
    operationId: "publicGooglePicture",
    tags,
    summary: "Get a picture for passes in Google Wallet",
    description:
      "Google loads it for the passes of a design: the logo on a square of the background colour (660 × 660), or the picture behind the front as a strip (hero, 1032 × 336). It names no credential. 404 for a draft, and for a design without such a picture.",
    requestParams: {
      path: z.object({
        id: z.string().meta({ description: "Of the template's version.", example: "tpv_01k4b00b2c3d4e5f6g7h8j9k0m" }),
        name: z.enum(googlePictureNames),
      }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: pictureResponses("publicGooglePicture"),
  },
  {
    path: "/public/achievements/{id}/image",
    method: "get",
    operationId: "publicAchievementImage",
    tags,
    summary: "Get the picture of an achievement",
    description: "What achievement.image of a credential leads to. 404 for a version without a picture.",
    requestParams: {
      path: z.object({
        id: z.string().meta({ description: "Of the version.", example: "acv_01k4b00b2c3d4e5f6g7h8j9k0m" }),
      }),
      query: z.object({
        v: z.string().optional().meta({
          description: "Part of the URL in credentials: it tells the picture apart from others. Not looked at.",
        }),
      }),
      header: z.object({ "If-None-Match": ifNoneMatch }),
    },
    responses: pictureResponses("publicAchievementImage"),
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
