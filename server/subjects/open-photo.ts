import { z } from "zod";
import { openBlob } from "@/server/core/blobs/store";
import type { Query } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import type { Density } from "./photo-limits";
import { photoTypes, type PhotoFormat, type Rendition } from "./photo-renditions";

const aliases: Record<string, Density> = {
  "1x": "1x",
  "2x": "2x",
  "3x": "3x",
  "1": "1x",
  "2": "2x",
  "3": "3x",
  "@1x": "1x",
  "@2x": "2x",
  "@3x": "3x",
};

export const density = z
  .string()
  .refine((value) => Object.hasOwn(aliases, value), "must be 1x, 2x or 3x")
  .transform((value) => aliases[value]!)
  .meta({
    override: { type: "string", enum: ["1x", "2x", "3x"] },
    description: "1x is 90 × 120 pixels, 2x 180 × 240, 3x 270 × 360. 2 and @2x are taken too.",
  });

/** Opens the photo of a subject in the best format that `accept` names; null if the subject has none. */
export async function openPhoto(
  sql: Query,
  {
    orgId,
    subjectId,
    density,
    accept,
  }: { orgId: Id<"org">; subjectId: Id<"sub">; density: Density; accept?: string | undefined },
): Promise<Download | null> {
  const rendition = renditionFor(density, accept);
  const [found] = await sql<{ sha256: string }>(
    `SELECT sha256 FROM subject_photos WHERE org_id = $1 AND subject_id = $2 AND rendition = $3`,
    [orgId, subjectId, rendition],
  );
  return found ? openRendition(orgId, found.sha256, rendition) : null;
}

/** Opens the file of a rendition whose row was read. */
export async function openRendition(orgId: Id<"org">, sha256: string, rendition: Rendition): Promise<Download> {
  const blob = await openBlob(orgId, sha256);
  if (!blob)
    throw new DomainError(
      "file_missing",
      "The photo is not in the file store. It was restored without its files, or DATA_DIR or S3_BUCKET was changed. Set the photo again.",
    );
  return {
    type: photoTypes[formatOf(rendition)],
    size: blob.size,
    chunks: blob.chunks,
    etag: `"${sha256.slice(0, 27)}"`,
  };
}

/** Returns the rendition at a density, in the best format that `accept` names. */
export const renditionFor = (density: Density, accept?: string): Rendition => `${density}.${formatFor(accept)}`;

const formatOf = (rendition: Rendition) => rendition.slice(rendition.indexOf(".") + 1) as PhotoFormat;

/** Returns WebP for clients that name it in Accept, and JPEG for all others, whatever they accept. */
function formatFor(accept = ""): PhotoFormat {
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim()));
  const taken = ranges.some(
    ([type, ...parameters]) => type === photoTypes.webp && !parameters.some((p) => /^q=0(?:\.0*)?$/.test(p)),
  );
  return taken ? "webp" : "jpeg";
}
