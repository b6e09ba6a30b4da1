import { FileError } from "../file-error";
import { readHead, readRecords } from "../read-csv";
import type { Archive } from "../zip";

const settings = { encoding: "auto", delimiter: "," } as const;
const manifestLimit = 1024 * 1024;

/** Whether a file lists everything, only changes, or is absent (OneRoster 1.2 CSV binding, section 4.1). */
export type Extent = "bulk" | "delta" | "absent";

export interface Roster {
  version: string;
  /** The name of a file in the archive and its extent; null if the manifest declares it absent. */
  file(name: "users" | "roles" | "orgs" | "classes" | "enrollments"): { name: string; extent: "bulk" | "delta" } | null;
}

/** The folder in the archive that contains manifest.csv; null if this is no OneRoster archive. */
export function rosterFolder(archive: Archive): string | null {
  const found = [...archive.entries.keys()].find((name) => /^([^/]+\/)?manifest\.csv$/i.test(name));
  return found === undefined ? null : found.slice(0, -"manifest.csv".length);
}

/**
 * Reads the manifest of a OneRoster archive.
 * @throws FileError
 */
export async function readManifest(archive: Archive, folder: string): Promise<Roster> {
  const names = new Map([...archive.entries.keys()].map((name) => [name.toLowerCase(), name]));
  const nameOf = (file: string) => names.get(`${folder}${file}.csv`.toLowerCase());
  const properties = new Map<string, string>();
  const source = async () => archive.read(nameOf("manifest")!, manifestLimit);
  for await (const { cells } of readRecords(source, settings, await readHead(source, settings)))
    properties.set((cells[0] ?? "").trim().toLowerCase(), (cells[1] ?? "").trim().toLowerCase());
  const version = properties.get("oneroster.version") ?? "";
  if (!/^1\.[12](\D|$)/.test(version))
    throw new FileError(
      "unsupported_file",
      "The archive has a manifest.csv whose oneroster.version is neither 1.1 nor 1.2.",
    );
  return {
    version,
    file(name) {
      const extent = properties.get(`file.${name}`) ?? "absent";
      if (extent !== "bulk" && extent !== "delta") return null;
      const entry = nameOf(name);
      if (entry === undefined)
        throw new FileError(
          "broken_archive",
          `The manifest names the file ${name}.csv, but the archive does not contain it.`,
        );
      return { name: entry, extent };
    },
  };
}
