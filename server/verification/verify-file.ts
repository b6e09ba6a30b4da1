import { readFile } from "node:fs/promises";
import type { Upload } from "@/server/core/blobs/upload";
import { isPng, readBakedPng } from "@/server/standards/baking/png";
import { isSvg, readBakedSvg } from "@/server/standards/baking/svg";
import { Invalid } from "@/server/standards/failure";
import { concluded } from "./decide";
import { foreignView } from "./foreign-view";
import { verifyDocument } from "./verify-document";
import type { Verification } from "./view";

/** Files that hold a credential: the most bytes, and the media types of a body that is one. */
export const credentialFile = {
  limit: 10 * 1024 * 1024,
  types: ["image/png", "image/svg+xml", "application/vc", "application/vc+jwt"],
} as const;

/**
 * Verifies the credential in a file: a badge that is baked into a PNG or SVG, JSON, or a JWT. What it is its content
 * says, not its name.
 */
export async function verifyFile(file: Upload, now: Date): Promise<Verification> {
  const bytes = await readFile(file.path);
  let credential: string;
  try {
    credential = credentialIn(bytes);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const checks = [{ name: "format", outcome: "fail" as const, detail: error.message, reason: "malformed" as const }];
    return foreignView({ checks: [], validity: { from: null, until: null } }, concluded(checks), now);
  }
  return verifyDocument(credential, now);
}

/** @throws Invalid */
function credentialIn(bytes: Buffer): string {
  if (isPng(bytes)) return readBakedPng(bytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Invalid("The file is neither a PNG or SVG picture nor a text.", { cause: error });
  }
  return isSvg(bytes) ? readBakedSvg(text) : text;
}
