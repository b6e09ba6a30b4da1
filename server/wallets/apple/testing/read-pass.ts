import { createHash } from "node:crypto";
import { unzip } from "./unzip";
import type { AppleAuthority } from "./authority";

/** The parts of a .pkpass file that tests look at. */
export interface ReadPass {
  /** pass.json. */
  pass: Record<string, any>;
  files: string[];
}

/**
 * Reads a .pkpass file and checks it as Wallet does: the manifest must list every file with its digest, and a certificate
 * of the authority must have signed the manifest.
 * @throws Error for a pass that Wallet would refuse
 */
export async function readPass(bytes: Uint8Array, authority: AppleAuthority): Promise<ReadPass> {
  const files = unzip(bytes);
  const { "manifest.json": manifest, signature, ...rest } = files;
  if (!manifest || !signature) throw new Error("The pass has no manifest or no signature.");
  const stated = JSON.parse(Buffer.from(manifest).toString()) as Record<string, string>;
  const computed = Object.fromEntries(
    Object.entries(rest).map(([name, content]) => [name, createHash("sha1").update(content).digest("hex")]),
  );
  if (JSON.stringify(sorted(stated)) !== JSON.stringify(sorted(computed)))
    throw new Error(`The manifest is ${JSON.stringify(stated)}, and the files are ${JSON.stringify(computed)}.`);
  await authority.verify(manifest, signature);
  const names = Object.keys(rest).toSorted();
  if (!names.includes("icon.png")) throw new Error("The pass has no icon.");
  return { pass: JSON.parse(Buffer.from(rest["pass.json"]!).toString()) as ReadPass["pass"], files: names };
}

const sorted = (object: Record<string, string>) => Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
