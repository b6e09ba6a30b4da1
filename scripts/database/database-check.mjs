import { oneTimeClient } from "./client.mjs";
import { Failure } from "../launch/failure.mjs";

/** The location of a database, without user and password. */
export function placeOf(url) {
  const { hostname, port, pathname } = new URL(url);
  return { server: `${hostname}:${port || 5432}`, database: decodeURIComponent(pathname.slice(1)) };
}

/**
 * Connects once. A failure is explained.
 *
 * @returns {Promise<string>} the version of PostgreSQL
 */
export async function checkDatabase(url) {
  if (!isReadable(url))
    throw new Failure(
      "DATABASE_URL is not a URL.",
      "write it as postgresql://user:password@host:5432/database, with characters such as @ : / % in the password percent-encoded.",
    );
  const client = oneTimeClient({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query(
      "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
    );
    if (rows[0].number < 180_000)
      throw new Failure(
        `The database is PostgreSQL ${rows[0].version}; Bonafide needs 18 or newer.`,
        "move to a newer PostgreSQL, or leave DATABASE_URL out to use the one that comes with Bonafide.",
      );
    return rows[0].version.split(" ")[0];
  } catch (error) {
    throw error instanceof Failure ? error : connectionFailure(url, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether `url` is a URL whose percent-encoded characters can be decoded. */
function isReadable(url) {
  try {
    placeOf(url);
    oneTimeClient({ connectionString: url });
    return true;
  } catch {
    return false;
  }
}

/** Exported for its test. */
export function connectionFailure(url, cause) {
  const { server, database } = placeOf(url);
  const code = cause.code ?? cause.errors?.[0]?.code;
  const failure = (wrong, todo) =>
    new Failure(wrong, todo, { detail: cause.message || cause.errors?.[0]?.message, cause });
  switch (code) {
    case "28P01":
    case "28000":
      return failure(
        `PostgreSQL at ${server} refuses the user or password of DATABASE_URL.`,
        "correct them; a password with characters such as @ : / must be percent-encoded there.",
      );
    case "3D000":
      return failure(
        `PostgreSQL at ${server} has no database "${database}".`,
        `make it, for example: createdb ${database}`,
      );
    case "57P03":
      return failure(
        `PostgreSQL at ${server} is starting or stopping.`,
        "wait until it takes connections, and start again.",
      );
    case "53300":
      return failure(
        `PostgreSQL at ${server} has no connection left.`,
        "raise its max_connections, or lower DATABASE_POOL of what uses it.",
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return failure(
        `The host of DATABASE_URL, ${server}, is not known.`,
        "correct the name, or the name service of this machine.",
      );
    default:
      return failure(
        `PostgreSQL at ${server} does not answer.`,
        "start it, or correct host and port in DATABASE_URL; a firewall may be in between. Without DATABASE_URL, Bonafide starts a PostgreSQL of its own.",
      );
  }
}
