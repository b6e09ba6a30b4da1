import { hash } from "node:crypto";
import type { Download } from "@/server/core/download";
import type { SignedBadge } from "./signed-badge";

/** The media types of a credential's document; the first where Accept names none of them. */
export const documentTypes = [
  "application/json",
  "application/vc",
  "application/ld+json",
  "application/vc+jwt",
] as const;
type DocumentType = (typeof documentTypes)[number];

/** Returns the document in the form that Accept names first. */
export function documentDownload(badge: SignedBadge, code: string, accept = ""): Download {
  const type = typeFor(accept);
  const body = type === "application/vc+jwt" ? badge.jwt : badge.document;
  return {
    type,
    fileName: `credential-${code}.${type === "application/vc+jwt" ? "jwt" : "json"}`,
    size: Buffer.byteLength(body),
    etag: `"${hash("sha256", body, "base64url").slice(0, 27)}"`,
    chunks: once(body),
  };
}

function typeFor(accept: string): DocumentType {
  const named = accept
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)))
    .map(([type]) => type);
  return (
    documentTypes.find((type) => named[0] === type) ??
    documentTypes.find((type) => named.includes(type)) ??
    documentTypes[0]
  );
}

async function* once(body: string): AsyncIterable<string> {
  yield body;
}
