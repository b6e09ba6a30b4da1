import type { Download } from "@/server/core/download";
import { wholeFile } from "./file";
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
  return wholeFile(body, type, `credential-${code}.${type === "application/vc+jwt" ? "jwt" : "json"}`);
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
