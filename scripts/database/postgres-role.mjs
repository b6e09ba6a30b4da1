import { oneTimeClient } from "./client.mjs";

/**
 * The service's role in the embedded PostgreSQL. It reads and writes rows. The owner creates and changes tables in
 * migrations.
 */
export const applicationRole = "bonafide_app";

/**
 * Creates the role, or restores its password and rights, unless it can log in. An older cluster gets the role too.
 *
 * @param {string} ownerUrl the database's URL for its owner
 * @param {string} applicationUrl the same for the role
 */
export async function ensureApplicationRole(ownerUrl, applicationUrl) {
  if (await canLogIn(applicationUrl)) return;
  const client = oneTimeClient({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { password } = new URL(applicationUrl);
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [applicationRole]);
    await client.query(`
      BEGIN;
      ${rowCount === 0 ? `CREATE ROLE ${applicationRole};` : ""}
      ALTER ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${client.escapeLiteral(password)};
      GRANT CONNECT, TEMPORARY ON DATABASE bonafide TO ${applicationRole};
      GRANT USAGE ON SCHEMA public TO ${applicationRole};
      GRANT ${tableRights} ON ALL TABLES IN SCHEMA public TO ${applicationRole};
      GRANT ${sequenceRights} ON ALL SEQUENCES IN SCHEMA public TO ${applicationRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${tableRights} ON TABLES TO ${applicationRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${sequenceRights} ON SEQUENCES TO ${applicationRole};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${applicationRole};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO ${applicationRole};
      COMMIT`);
  } finally {
    await client.end();
  }
}

// MAINTAIN is for ANALYZE after a large load.
const tableRights = "SELECT, INSERT, UPDATE, DELETE, TRUNCATE, MAINTAIN";
const sequenceRights = "USAGE, SELECT, UPDATE";

/** False only if PostgreSQL refuses the role or the password. */
async function canLogIn(connectionString) {
  const client = oneTimeClient({ connectionString });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (["28P01", "28000"].includes(error.code)) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
