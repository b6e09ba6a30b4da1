import { FileError } from "../file-error";
import { readHead, readRecords } from "../read-csv";
import type { TableRow } from "../table";
import type { Archive } from "../zip";
import { readManifest } from "./manifest";

const settings = { encoding: "auto", delimiter: "," } as const;
/** The most rows of each file that is held in memory: organisations, classes, enrolments, roles. */
const lookedUpLimit = 2_000_000;

interface Options {
  mode: "full" | "delta";
  limit: number;
}

/** A column that is added to the users from another file of the archive. */
interface Added {
  name: string;
  of(user: Map<string, string>): string;
}

/**
 * Reads the users of a OneRoster archive as a table: the columns of users.csv except the password, plus accountStatus
 * (active or inactive), and role, orgNames and classTitles if the files that they come from are complete (bulk).
 * @throws FileError
 */
export async function* readRosterUsers(
  archive: Archive,
  folder: string,
  { mode, limit }: Options,
): AsyncGenerator<TableRow> {
  const roster = await readManifest(archive, folder);
  const users = roster.file("users");
  if (!users) throw new FileError("no_rows", "The archive has no users.csv, so it lists nobody.");
  if (users.extent === "delta" && mode === "full")
    throw new FileError(
      "changes_only",
      "The archive lists only changes (delta), but the connector expects each file to list everybody. Change the connector to files that list changes.",
    );
  const table = (file: ReturnType<typeof roster.file>) =>
    file?.extent === "bulk" ? recordsOf(archive, file.name, limit) : null;
  const source = async () => archive.read(users.name, limit);
  const head = await readHead(source, settings);
  const added: Added[] = [accountStatus];
  const roles = table(roster.file("roles"));
  const ofRoles = roles && (await readRoles(roles));
  if (ofRoles) added.push({ name: "role", of: (user) => ofRoles.get(user.get("sourcedid")!)?.role ?? "" });
  const orgs = table(roster.file("orgs"));
  if (orgs) {
    const names = await readNames(orgs, "name");
    const idsOf = (user: Map<string, string>) =>
      ofRoles ? (ofRoles.get(user.get("sourcedid")!)?.orgs ?? []) : (user.get("orgsourcedids") ?? "").split(",");
    added.push({ name: "orgNames", of: (user) => listed(idsOf(user).map((id) => names.get(id.trim()))) });
  }
  const [classes, enrollments] = [table(roster.file("classes")), table(roster.file("enrollments"))];
  if (classes && enrollments) {
    const titles = await readNames(classes, "title");
    const ids = await readEnrolments(enrollments);
    added.push({
      name: "classTitles",
      of: (user) => listed((ids.get(user.get("sourcedid")!) ?? []).map((id) => titles.get(id))),
    });
  }
  const names = head.headers.map((header) => header.toLowerCase());
  const kept = names.flatMap((name, i) =>
    name === "password" || added.some((each) => each.name.toLowerCase() === name) ? [] : [i],
  );
  yield { line: 1, cells: [...kept.map((i) => head.headers[i]!), ...added.map(({ name }) => name)] };
  for await (const { line, cells, isBlank } of readRecords(source, settings, head)) {
    if (isBlank) continue;
    // A row with the wrong number of cells gets one cell too many, so that staging rejects it.
    if (cells.length !== names.length) yield { line, cells: [...cells, ...added.map(() => ""), "?"] };
    const user = new Map(names.map((name, i) => [name, (cells[i] ?? "").trim()]));
    if (cells.length === names.length)
      yield { line, cells: [...kept.map((i) => cells[i]!), ...added.map(({ of }) => of(user))] };
  }
}

const accountStatus: Added = {
  name: "accountStatus",
  of: (user) =>
    /^(tobedeleted|inactive)$/i.test(user.get("status") ?? "") || /^false$/i.test(user.get("enableduser") ?? "")
      ? "inactive"
      : "active",
};

const listed = (names: (string | undefined)[]) =>
  [...new Set(names.filter((name): name is string => name !== undefined && name !== ""))].sort().join("; ");

/** Yields the records of a file that are not deleted, as maps by lower-case column name. */
async function* recordsOf(archive: Archive, name: string, limit: number): AsyncGenerator<Map<string, string>> {
  const source = async () => archive.read(name, limit);
  const head = await readHead(source, settings);
  const names = head.headers.map((header) => header.toLowerCase());
  let count = 0;
  for await (const { cells } of readRecords(source, settings, head)) {
    if (++count > lookedUpLimit)
      throw new FileError(
        "too_many_rows",
        `The file ${name} has more than ${lookedUpLimit} rows. Leave it out of the archive, and say so in the manifest.`,
      );
    const record = new Map(names.map((column, i) => [column, (cells[i] ?? "").trim()]));
    if (record.get("status")?.toLowerCase() !== "tobedeleted") yield record;
  }
}

async function readNames(records: AsyncIterable<Map<string, string>>, column: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const record of records) names.set(record.get("sourcedid") ?? "", record.get(column) ?? "");
  return names;
}

async function readEnrolments(records: AsyncIterable<Map<string, string>>): Promise<Map<string, string[]>> {
  const classes = new Map<string, string[]>();
  const own = new Map<string, string>();
  // Keep one copy of each class id: a substring keeps its whole line in memory, and there can be two million.
  const once = (id: string) => own.get(id) ?? (own.set(id, id), id);
  for await (const record of records) {
    const [user, id] = [record.get("usersourcedid") ?? "", once(record.get("classsourcedid") ?? "")];
    const known = classes.get(user);
    if (known) known.push(id);
    else classes.set(user, [id]);
  }
  return classes;
}

/** Reads roles.csv of OneRoster 1.2: the primary role of each user, else the first, and the organisations of all roles. */
async function readRoles(
  records: AsyncIterable<Map<string, string>>,
): Promise<Map<string, { role: string; isPrimary: boolean; orgs: string[] }>> {
  const roles = new Map<string, { role: string; isPrimary: boolean; orgs: string[] }>();
  for await (const record of records) {
    const user = record.get("usersourcedid") ?? "";
    const isPrimary = record.get("roletype")?.toLowerCase() === "primary";
    const [role, org] = [record.get("role") ?? "", record.get("orgsourcedid") ?? ""];
    const known = roles.get(user);
    if (!known) roles.set(user, { role, isPrimary, orgs: [org] });
    else {
      known.orgs.push(org);
      if (isPrimary && !known.isPrimary) Object.assign(known, { role, isPrimary });
    }
  }
  return roles;
}
