import { statementsOf, withoutComments } from "./sql-statements.mjs";

/** Statements that are allowed in a migration without a transaction: they can safely run a second time. */
const repeatable = [
  /^CREATE\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s/i,
  /^DROP\s+INDEX\s+(CONCURRENTLY\s+)?IF\s+EXISTS\s/i,
  /^ALTER\s+INDEX\s+IF\s+EXISTS\s/i,
  /^ALTER\s+TABLE\s+\S+\s+VALIDATE\s+CONSTRAINT\s/i,
  /^ALTER\s+TYPE\s+\S+\s+ADD\s+VALUE\s+IF\s+NOT\s+EXISTS\s/i,
  /^(UPDATE|DELETE|DO|CALL|VACUUM|ANALYZE)\b/i,
];

/**
 * Returns why a migration could not be applied, or could not continue after a failure; empty if nothing is wrong.
 *
 * @param {import("./migrations.mjs").Migration} migration
 * @returns {string[]}
 */
export function migrationProblems({ sql, transaction }) {
  return statementsOf(sql)
    .map(({ text, line }) => ({ bare: withoutComments(text), line }))
    .flatMap(({ bare, line }) => {
      if (/^(BEGIN|COMMIT|ROLLBACK|END|START\s+TRANSACTION|SAVEPOINT)\b/i.test(bare))
        return `line ${line}: the start of Bonafide begins and ends transactions`;
      if (transaction)
        return /^(CREATE|DROP|REINDEX)\b.*\bCONCURRENTLY\b|^VACUUM\b/is.test(bare)
          ? `line ${line}: PostgreSQL refuses this within a transaction; begin the file with -- no-transaction`
          : [];
      return repeatable.some((form) => form.test(bare))
        ? []
        : `line ${line}: after a failure this could run a second time; write it so that it may (IF NOT EXISTS, IF EXISTS), or in a migration with a transaction`;
    });
}
