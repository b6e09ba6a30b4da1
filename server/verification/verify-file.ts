import { readFile } from "node:fs/promises";
import type { Upload } from "@/server/core/blobs/upload";
import { validityOf } from "@/server/standards/verify/check-validity";
import { concluded } from "./decide";
import type { Check } from "./checks";
import { runJob } from "./foreign-pool";
import { foreignView } from "./foreign-view";
import { orEnded, verifyDocument, type Asked } from "./verify-document";
import type { Verification } from "./view";

/**
 * Files that hold a credential: the limit in bytes, and the media types of a request body that is such a file. The types
 * of documents are those under which credentials are served (VCDM 2.0 and its drafts, and JSON-LD).
 */
export const credentialFile = {
  limit: 10 * 1024 * 1024,
  types: [
    "application/vc",
    "application/vc+jwt",
    "application/ld+json",
    "application/vc+ld+json",
    "image/png",
    "image/svg+xml",
    "application/pdf",
  ],
} as const;

/**
 * Verifies the credential in a file: a badge that is baked into a PNG or SVG, a PDF to which it is attached, JSON, or a JWT. The content decides which
 * of these it is, not the file's name.
 * @throws DomainError rate_limited or unavailable if too many verifications are waiting
 */
export async function verifyFile(file: Upload, asked: Asked): Promise<Verification> {
  const found = await orEnded<{ credential: string } | Check>(
    runJob(asked, "read", async () => ({ bytes: await readFile(file.path) })).then((read) =>
      "credential" in read ? read : { name: "format", outcome: "fail", detail: read.malformed, reason: "malformed" },
    ),
    (detail) => ({ name: "format", outcome: "error", detail }),
  );
  if ("credential" in found) return verifyDocument(found.credential, asked);
  return foreignView({ checks: [], validity: validityOf({}) }, concluded([found]), [], asked.context.now);
}
