import type { Download } from "@/server/core/download";
import { wholeFile } from "./file";
import type { SignedBadge } from "./signed-badge";

/** The media types of a credential's document; the first is the default if Accept names none of them. */
export const documentTypes = [
  "application/json",
  "application/vc",
  "application/ld+json",
  "application/vc+jwt",
] as const;
type DocumentType = (typeof documentTypes)[number];

/** Returns the document in the form that Accept prefers. */
export function documentDownload(badge: SignedBadge, code: string, accept = ""): Download {
  const type = typeFor(accept);
  const body = type === "application/vc+jwt" ? badge.jwt : badge.document;
  return wholeFile(body, type, `credential-${code}.${type === "application/vc+jwt" ? "jwt" : "json"}`);
}

/** The best named type: by quality (RFC 9110, section 12.5.1), then by the order in Accept, then by our order. */
function typeFor(accept: string): DocumentType {
  const named = accept
    .toLowerCase()
    .split(",")
    .map((each) => {
      const [type, ...parameters] = each.split(";").map((part) => part.trim());
      const quality = parameters.map((part) => /^q=([\d.]+)$/.exec(part)?.[1]).find((found) => found !== undefined);
      return { type, quality: Math.min(Number(quality ?? 1) || 0, 1) };
    })
    .filter(({ type, quality }) => quality > 0 && (documentTypes as readonly (string | undefined)[]).includes(type));
  const best = named.filter(({ quality }) => quality === Math.max(...named.map((each) => each.quality)));
  const first = accept.split(/[,;]/, 1)[0]!.trim().toLowerCase();
  return (
    documentTypes.find((type) => type === first && best.some((each) => each.type === type)) ??
    documentTypes.find((type) => best.some((each) => each.type === type)) ??
    documentTypes[0]
  );
}
