import type { RunRow } from "../run-view";
import type { Origin } from "./origin";
import type { Remote } from "./remote";
import { joined } from "./remote-path";
import { isError } from "./report";

type Run = Pick<RunRow, "status" | "created_at"> & { origin: Origin };

/** A prefix such as 20260903-051500, so that names sort by time and a file never overwrites an older one. */
const stamp = (at: Date) => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");

/** The target path of a run's file, below its folder. */
export const filedName = (run: Run): string =>
  `${isError(run) ? "error" : "archive"}/${stamp(run.created_at)}-${run.origin.name}`;

/**
 * Writes the report and moves the file. Leaves the file if it is gone or has changed since it was fetched.
 * @returns the file's path afterwards, below its folder
 */
export async function moveAway(remote: Remote, run: Run, report: string): Promise<string> {
  const { name, size, modifiedAt, folder = "." } = run.origin;
  const target = filedName(run);
  await remote.folder(joined(folder, target.split("/")[0]!));
  await remote.write(joined(folder, `${target}.report.txt`), report);
  if (await remote.look(joined(folder, target))) return target;
  const found = await remote.look(joined(folder, name));
  if (!found || found.size !== size || found.modifiedAt.toISOString() !== modifiedAt) return target;
  await remote.rename(joined(folder, name), joined(folder, target));
  return target;
}
