import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import pg from "pg";
import { isTestCode, root } from "@/structure/sources";

/** A statement that ran. */
export interface Recorded {
  /** The source file that sent it, or "prisma" for what Prisma wrote. */
  file: string;
  text: string;
  /** Whether it went through lookUp (server/core/look-up.ts). */
  isLookUp: boolean;
}

const lookUpFile = "server/core/look-up.ts";

// These files only pass statements on: the caller follows them in the stack.
const passing = [
  lookUpFile,
  "server/core/db.ts",
  "server/core/transaction.ts",
  "server/core/sql-connection.ts",
  "server/core/organisation-share.ts",
  "server/testing/tenancy/record.ts",
];

/**
 * Finds the sender of a statement in the stack. Returns undefined for a test, a migration, or a statement that pg sends
 * by itself.
 */
export function callerOf(stack: string): Omit<Recorded, "text"> | undefined {
  if (stack.includes("/node_modules/@prisma/")) return { file: "prisma", isLookUp: false };
  const files = [...stack.matchAll(/(?:file:\/\/|\(|at (?:async )?)(\/[^\s():?]+)/g)].map(([, path]) =>
    relative(root, path!),
  );
  const file = files.find(
    (path) => !path.startsWith("..") && !path.startsWith("node_modules/") && !passing.includes(path),
  );
  return file === undefined || isTestCode(file) || !/^(server|inngest|app)\//.test(file)
    ? undefined
    : { file, isLookUp: files.includes(lookUpFile) };
}

/** Writes each distinct statement that the project's code sends from this process to the folder that judge.ts reads. */
function record(folder: string): void {
  const known = new Set<string>();
  const note = (query: unknown) => {
    const text = typeof query === "string" ? query : (query as { text?: unknown } | undefined)?.text;
    if (typeof text !== "string" || known.has(text)) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 40;
    const stack = new Error().stack ?? "";
    Error.stackTraceLimit = limit;
    const caller = callerOf(stack);
    if (!caller) return;
    known.add(text);
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ ...caller, text } satisfies Recorded)}\n`);
  };
  for (const { prototype } of [pg.Pool, pg.Client] as { prototype: { query: (...args: unknown[]) => unknown } }[]) {
    const { query } = prototype;
    prototype.query = function (...args) {
      note(args[0]);
      return query.apply(this, args);
    };
  }
}

if (process.env["STATEMENTS_DIR"]) record(process.env["STATEMENTS_DIR"]);
