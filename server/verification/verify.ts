import { z } from "zod";
import { upload } from "@/server/core/blobs/upload-input";
import { query } from "@/server/core/operation";
import { isObject, maxValues, type JsonObject } from "@/server/standards/json";
import { ownHost } from "./own-documents";
import { readScan } from "./read-scan";
import { verifyCode, type VerificationContext } from "./verify-code";
import { verifyDocument } from "./verify-document";
import { verifyFile } from "./verify-file";

/** The limit of a JSON body. */
const maxText = 1024 * 1024;

/** The most JSON values of a body: those of a credential, and one for the object around it. */
export const maxVerifyValues = maxValues + 1;

/** The limit of the request line and the header fields together. */
const maxTokenInAddress = 16 * 1024;

const code = z
  .string({ error: "must be the public code of a credential" })
  .max(2000)
  .refine(
    (text) => text.trim() !== "",
    "must be the public code of a credential, such as 7Q2M-0X4K-9VTB-C31E; it is empty",
  )
  .overwrite(codeOf)
  .meta({ description: "The public code, as it stands on the credential. Case, hyphens and spaces do not count." });
/** The code within the address of a credential's page, which people copy as often as the code; else the text itself. */
function codeOf(text: string): string {
  const scan = text.includes("/") ? readScan(text, [ownHost()]) : undefined;
  return scan?.kind === "code" ? scan.code : text;
}

const credential = (z.unknown() as z.ZodType<string | JsonObject, string | Record<string, unknown>>)
  .refine((value) => (typeof value === "string" ? value.length <= maxText : isObject(value)), {
    error: "must be a credential: a JSON object, or a text that is a JWT or JSON",
  })
  .meta({
    override: {
      anyOf: [
        { type: "string", maxLength: maxText },
        { type: "object", propertyNames: { type: "string" }, additionalProperties: {} },
      ],
    },
    description: "A W3C verifiable credential of any issuer, such as an Open Badge: JSON, or a vc+jwt.",
  });

/**
 * Makes the input of a body that is JSON. A credential may be the body itself, as issuers serve it: only a credential has
 * an `@context`.
 */
export const credentialOrInput = (body: Record<string, unknown>): Record<string, unknown> =>
  "@context" in body && !("credential" in body) && !("code" in body) ? { credential: body } : body;

/** Whether a W3C credential was sent as the body itself, without {"credential": …} around it. */
const isUnwrapped = ({ code, input }: z.core.$ZodRawIssue) =>
  code === "unrecognized_keys" && isObject(input) && ("@context" in input || "vc" in input || "proof" in input);

/** The input of a verification: exactly one of code, credential and file. */
export const verifyInput = z
  .strictObject(
    { code: code.optional(), credential: credential.optional(), file: upload.optional() },
    {
      error: (issue) =>
        isUnwrapped(issue) ? 'is a member of a credential: wrap that in {"credential": …}' : undefined,
    },
  )
  .superRefine((sent, issue) => {
    const [first, ...others] = Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (first === undefined)
      issue.addIssue({
        code: "custom",
        params: { code: "invalid_type" },
        path: ["code"],
        message: "must be the public code of a credential, or leave it out and send credential",
      });
    for (const name of others)
      issue.addIssue({
        code: "custom",
        params: { code: "exclusive" },
        path: [name],
        message: `must be left out where ${first} is sent`,
      });
  });

/** The input as a URL's query: a token instead of the credential. */
export const verifyQuery = z
  .strictObject({
    code: code.optional(),
    token: z.string().max(maxTokenInAddress).optional().meta({
      description:
        "A credential of any issuer as a vc+jwt. The request line and the header fields together may have 16 KiB, else 431; send a longer one to POST /public/verify, as credential.",
    }),
  })
  .superRefine(({ code, token }, issue) => {
    if (code === undefined && token === undefined)
      issue.addIssue({
        code: "custom",
        params: { code: "invalid_type" },
        path: ["code"],
        message: "must be the public code of a credential, or leave it out and send token",
      });
    if (code !== undefined && token !== undefined)
      issue.addIssue({
        code: "custom",
        params: { code: "exclusive" },
        path: ["token"],
        message: "must be left out where code is sent",
      });
  });

/**
 * Verifies for an authenticated caller: a credential of any organisation here by its code or its document, which emits
 * the events of verifyCode; or a document or file of any issuer, which emits none.
 */
export const verifyCredential = query({
  name: "credentials.verify",
  scope: "verify",
  input: verifyInput,
  run: ({ orgId, actor, now, requestId }, { code, credential, file }) => {
    const context: VerificationContext = { via: "api", viewer: actor.id, now, caller: { orgId, actor } };
    const asked = { caller: orgId, requestId, context };
    if (file) return verifyFile(file, asked);
    return credential === undefined ? verifyCode(code!, context) : verifyDocument(credential, asked);
  },
});
