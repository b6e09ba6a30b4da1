import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { publicPhotoPath } from "@/server/verification/public-photo";
import { pictureNames } from "@/server/verification/shown-design";
import { shareInput } from "@/server/verification/share";
import { verifyInput, verifyQuery } from "@/server/verification/verify";
import { verificationSchema } from "@/server/verification/view";
import { verificationFile } from "@/server/http/rest/verification-file";
import { bytes, fileContent } from "./file-content";
import { refusalResponses } from "./problem-schema";
import { refusalsOf } from "./refusals";
import { tagOf } from "./tags";

const tags = [tagOf("/public")];
const decision = {
  "200": {
    description: "The decision, whether or not the credential is valid.",
    content: { "application/json": { schema: verificationSchema } },
  },
};
const refusals = (operationId: string, takesBody = false) =>
  refusalResponses(refusalsOf({ operationId, isPublic: true, takesBody, namesResource: true }));
const { file: _, ...jsonFields } = verifyInput.shape;
const jsonInput = z.strictObject(jsonFields);
const ifNoneMatch = {
  "If-None-Match": z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "The ETag of an earlier answer: 304 where nothing has changed since." }),
};
const unchanged = { "304": { description: "As it was: If-None-Match names the decision's ETag." } };

const photoHeaders = z.object({ ETag: z.string(), Vary: z.string() });

/** Verification for anyone, without authentication (spec section 5). */
export const verificationOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  {
    path: "/public/credentials/{code}",
    method: "get",
    operationId: "publicCredential",
    tags,
    summary: "Verify a credential by its code",
    description:
      "The code is read without regard to case, hyphens and spaces. The answer is computed anew each time; a revocation shows at once.",
    requestParams: {
      path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }),
      header: z.object(ifNoneMatch),
    },
    responses: { ...decision, ...unchanged, ...refusals("publicCredential") },
  },
  {
    path: "/public/credentials/{code}/photo/{density}",
    method: "get",
    operationId: "publicPhoto",
    tags,
    summary: "Get the photo on a credential",
    description:
      "For credentials whose template makes the photo public, until they end: photoUrl of the verification. As WebP where Accept names it, else as JPEG. 404 once the photo is removed or the credential ends.",
    requestParams: {
      path: publicPhotoPath,
      query: z.object({
        v: z.string().max(40).optional().meta({
          description:
            "Part of photoUrl. It changes with the photo, so that no cache shows an earlier one. Not looked at.",
        }),
      }),
      header: z.object(ifNoneMatch),
    },
    responses: {
      "200": {
        description: "The photo.",
        headers: photoHeaders,
        content: Object.fromEntries(["image/webp", "image/jpeg"].map((type) => [type, { schema: bytes(type) }])),
      },
      "304": { description: "As it was: If-None-Match names the photo's ETag.", headers: photoHeaders },
      ...refusals("publicPhoto"),
    },
  },
  {
    path: "/public/credentials/{code}/picture/{name}",
    method: "get",
    operationId: "publicPicture",
    tags,
    summary: "Get a picture of a card",
    description:
      "The logo of the design, or the picture behind a side of the card, as the public page shows them. 404 where the design has none.",
    requestParams: {
      path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }), name: z.enum(pictureNames) }),
      query: z.object({
        v: z.string().max(40).optional().meta({
          description:
            "The digest of the picture, as the public page names it: the answer may then be kept for a year. It changes with the picture.",
        }),
      }),
      header: z.object(ifNoneMatch),
    },
    responses: {
      "200": {
        description: "The picture, in the format in which the design has it.",
        headers: z.object({ ETag: z.string() }),
        content: Object.fromEntries(
          ["image/webp", "image/png", "image/jpeg"].map((type) => [type, { schema: bytes(type) }]),
        ),
      },
      "304": {
        description: "As it was: If-None-Match names the picture's ETag.",
        headers: z.object({ ETag: z.string() }),
      },
      ...refusals("publicPicture"),
    },
  },
  {
    path: "/public/credentials/{code}/preview.png",
    method: "get",
    operationId: "publicPreview",
    tags,
    summary: "Get the preview of a public page",
    description:
      "What other sites show beside a link to the page (Open Graph), 1200 × 630: title, issuer, the holder where the page names one, in the typeface and on the picture of the design. Of its state it shows an end alone, such as Revoked: others keep such pictures.",
    requestParams: {
      path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }),
      header: z.object(ifNoneMatch),
    },
    responses: {
      "200": {
        description: "The preview.",
        headers: z.object({ ETag: z.string() }),
        content: { "image/png": { schema: bytes("image/png") } },
      },
      "304": {
        description: "As it was: If-None-Match names the preview's ETag.",
        headers: z.object({ ETag: z.string() }),
      },
      ...refusals("publicPreview"),
    },
  },
  {
    path: "/public/credentials/{code}/share",
    method: "post",
    operationId: "publicShare",
    tags,
    summary: "Note that a credential was shared",
    description:
      "What the buttons of the public page call. Emits credential.shared, coalesced by viewer and channel for 60 seconds.",
    requestParams: { path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }) },
    requestBody: {
      required: true,
      content: { "application/json": { schema: shareInput, example: { channel: "linkedin" } } },
    },
    responses: { "204": { description: "Noted." }, ...refusals("publicShare", true) },
  },
  {
    path: "/public/verify",
    method: "get",
    operationId: "publicVerify",
    tags,
    summary: "Verify a credential by its code, or a token",
    description:
      "Send code, for a form of a web page or where the code comes from a link; or token, a vc+jwt of any issuer.",
    requestParams: { query: z.object(verifyQuery.shape), header: z.object(ifNoneMatch) },
    responses: { ...decision, ...unchanged, ...refusals("publicVerify") },
  },
  {
    path: "/public/verify",
    method: "post",
    operationId: "publicVerifyPost",
    tags,
    summary: "Verify a credential by its code, or any credential",
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: jsonInput, example: { code: "7K3M-Q9ZX-4T2B-8WNE" } },
        ...fileContent(verificationFile),
      },
    },
    description:
      "Send code, which then stays out of addresses and their logs; or credential, a W3C verifiable credential of any issuer (Open Badges too) as JSON or vc+jwt; or a file with one, such as a badge that is baked into a PNG or SVG or a certificate (PDF), in a form or as the body itself (image/png, image/svg+xml, application/pdf, application/vc, application/vc+jwt, application/ld+json; application/json too for a credential alone). Its signature, validity and status are checked with did:web, did:key and did:jwk; each check is named with its outcome, and what cannot be reached makes the result indeterminate. The document of a credential of this service is answered as its code is, with what the document states; of the two decisions, the worse one is told.",
    responses: { ...decision, ...refusals("publicVerifyPost", true) },
  },
];
