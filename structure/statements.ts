import ts from "typescript-api";
import { readSource } from "./sources";

export interface Write {
  file: string;
  /** The table's name, or the expression in its place, such as `${table}`. */
  table: string;
}

/** Returns the tables of schema.prisma by the name of their model in Prisma's client. */
export function tablesByModel(): Map<string, string> {
  const models = readSource("prisma/schema.prisma").matchAll(/^model (\w+) \{(.*?)^\}/gms);
  return new Map(
    [...models].map(([, name, body]) => [
      name![0]!.toLowerCase() + name!.slice(1),
      /@@map\("([^"]+)"\)/.exec(body!)?.[1] ?? name!,
    ]),
  );
}

/** Returns every text of a source file: strings and templates, with inserted expressions as they are written. */
function textsOf(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(node.getText(parsed).slice(1, -1));
    ts.forEachChild(node, visit);
  };
  const parsed = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    false,
    file.endsWith("x") ? ts.ScriptKind.TSX : undefined,
  );
  visit(parsed);
  return found;
}

const name = String.raw`(?:ONLY\s+)?"?([a-z_][a-z0-9_]*|\$\{[^}]*\}\w*)"?`;
const writes = new RegExp(
  String.raw`\b(?:INSERT\s+INTO|MERGE\s+INTO|DELETE\s+FROM|UPDATE|TRUNCATE(?:\s+TABLE)?|COPY)\s+${name}(?=[\s(;,]|$)`,
  "g",
);
const byPrisma = /\bdb(?:\(\))?\.(\w+)\.(?:create|update|upsert|delete)\w*\(/g;
const leased = /new (?:LeasedTable|RunSteps)[^]*?\btable: "(\w+)"/g;
const leasedJob = /\bjobLease\("(\w+)"\)/g;

/** Returns the tables that a source file writes: in SQL, through Prisma, and through a LeasedTable, RunSteps or jobLease. */
export function writesOf(file: string, source = readSource(file)): Write[] {
  const models = tablesByModel();
  const inSql = textsOf(file, source).flatMap((text) => [...text.matchAll(writes)].map(([, table]) => table!));
  const others = [
    ...[...source.matchAll(byPrisma)].map(([, model]) => models.get(model!) ?? model!),
    ...[...source.matchAll(leased)].map(([, table]) => table!),
    ...[...source.matchAll(leasedJob)].map(([, table]) => table!),
  ];
  return [...new Set([...inSql, ...others])].map((table) => ({ file, table }));
}
