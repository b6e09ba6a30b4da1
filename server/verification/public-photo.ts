import { z } from "zod";
import type { Download } from "@/server/core/download";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { parseInput } from "@/server/core/input";
import { readCode } from "@/server/credentials/code";
import { density, openRendition, renditionFor } from "@/server/subjects/open-photo";
import { findPublicPhoto } from "./find-by-code";

/** The parameters of the path. */
export const publicPhotoPath = z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }), density });
const input = publicPhotoPath.extend({ accept: z.string().optional() });

/**
 * Opens the public photo of a credential's holder: the template makes it public, it was approved (if the template asks
 * for approval), and the credential has not ended.
 * @throws DomainError not_found for every other code, whether or not there is a photo
 */
export async function openPublicPhoto(
  sent: Record<string, unknown>,
  now: Date,
): Promise<{ orgId: Id<"org">; photo: Download }> {
  const { code, density, accept } = parseInput(input, sent);
  const rendition = renditionFor(density, accept);
  const found = await findPublicPhoto(readCode(code) ?? "", rendition, now);
  if (!found) throw new DomainError("not_found", "There is no credential with this code that shows a photo.");
  const photo = await openRendition(found.org_id, found.sha256, rendition);
  // Caches revalidate each time: a photo is gone from the commit that removes it or ends its credential.
  return { orgId: found.org_id, photo: { ...photo, headers: { "cache-control": "no-cache", vary: "accept" } } };
}
