import { hash } from "node:crypto";
import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { formatCode } from "@/server/credentials/code";
import { draw } from "@/server/drawing/draw";
import { BoundedCache } from "@/server/standards/bounded-cache";
import { renditionFor, openRendition } from "@/server/subjects/open-photo";
import { paletteOf } from "@/server/templates/palette";
import { findPublicPhoto } from "@/server/verification/find-by-code";
import type { PassFacts } from "../load-pass-facts";
import { passDocument } from "./pass-document";
import type { PassRow } from "./pass-row";
import { openPassToken } from "./sealed";
import { requireIdentity } from "./settings";
import { signPass, type PassJob } from "./sign-pass";

export const passMediaType = "application/vnd.apple.pkpass";

// A pass has about 100 KB. After a change, several phones and their retries download the same pass.
const { passes, pictures } = processState("apple passes", () => ({
  passes: new BoundedCache<Uint8Array>(200, 10 * 60_000),
  pictures: new BoundedCache<Record<string, Uint8Array>>(100, 10 * 60_000),
}));

/**
 * Returns the signed pass of a credential. Signed passes are cached by a digest of their content, so that each revision
 * is signed once.
 *
 * @throws DomainError wallet_not_configured; unavailable if the pass cannot be drawn or signed now
 */
export async function passFile(facts: PassFacts, row: PassRow, { caller, now }: { caller: Caller; now: Date }) {
  const identity = await requireIdentity(sql, row.org_id, now);
  const { serial, pass_type_id: passTypeId } = row;
  const document = passDocument(facts, { serial, passTypeId, teamId: identity.teamId, token: openPassToken(row) });
  const images = await imagesOf(facts, caller, now);
  const { certificate, privateKey, wwdr } = identity;
  const job: PassJob = { document, images: images.files, signing: { certificate, privateKey, wwdr } };
  const key = digest(JSON.stringify([document, images.key, certificate, wwdr]));
  const bytes = await passes.get(key, now, () => signPass(caller, job));
  return download(bytes, formatCode(facts.evidence.code));
}

async function imagesOf(facts: PassFacts, caller: Caller, now: Date) {
  const { evidence, design } = facts;
  const photo = evidence.photo_at && (await photoOf(evidence.code, now));
  const from = {
    colors: paletteOf(evidence.kind, design.colors ?? undefined),
    logo: fileOf(design.logo),
    background: fileOf(design.background),
    photo: photo || null,
  };
  const key = digest(JSON.stringify([from.colors, design.logo, design.background, photo && digest(photo)]));
  return { key, files: await pictures.get(key, now, () => draw({ caller, isAnonymous: true }, "passImages", from)) };
}

/** The public photo of the holder; null if there is none. */
async function photoOf(code: string, now: Date): Promise<Uint8Array | null> {
  const rendition = renditionFor("3x");
  const found = await findPublicPhoto(code, rendition, now);
  if (!found) return null;
  const { chunks } = await openRendition(found.org_id, found.sha256, rendition);
  const bytes: Uint8Array[] = [];
  for await (const chunk of chunks) bytes.push(Buffer.from(chunk));
  return Buffer.concat(bytes);
}

/** Decodes the file in a data URL. */
const fileOf = (url: string | null | undefined): Uint8Array | null =>
  url ? Buffer.from(url.slice(url.indexOf(",") + 1), "base64") : null;

const digest = (what: string | Uint8Array) => hash("sha256", what, "base64url");

function download(bytes: Uint8Array, code: string): Download {
  return {
    type: passMediaType,
    fileName: `${code}.pkpass`,
    size: bytes.byteLength,
    headers: { "cache-control": "no-store" },
    chunks: once(bytes),
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
