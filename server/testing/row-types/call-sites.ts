import { join } from "node:path";
import ts from "typescript-api";
import { isTestCode, root, sourceFiles } from "@/structure/sources";
import { ConstantTexts } from "./constant-text";
import { columnsOf, type Kind } from "./kinds";

/** A place in the source at which a statement's rows get a type. */
export interface CallSite {
  /** Such as server/credentials/load.ts:15. */
  at: string;
  file: string;
  /** The columns of the row type; undefined for a type parameter: a helper that passes a statement on. */
  columns: Map<string, { kinds: Set<Kind>; isOptional: boolean }> | undefined;
  /** Every text that the statement can have; undefined if the source does not tell. */
  texts: string[] | undefined;
}

/** The names under which the functions that run a statement are called: see Query in server/core/db.ts. */
const runners = new Set(["sql", "last", "query", "queueSql", "lookUp"]);

/** Returns every call under server/, inngest/ and app/ that gives the rows of a statement a type. */
export function callSites(): CallSite[] {
  const files = sourceFiles(["ts", "tsx"]).filter(
    (file) => /^(server|inngest|app)\//.test(file) && !isTestCode(file) && !file.startsWith("server/demo/"),
  );
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, incremental: false }, root);
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const texts = new ConstantTexts(checker);
  return files.flatMap((file) => {
    const source = program.getSourceFile(join(root, file))!;
    const found: CallSite[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.typeArguments?.length === 1 && runners.has(nameOf(node.expression))) {
        const text = node.arguments[nameOf(node.expression) === "lookUp" ? 1 : 0];
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        const row = checker.getTypeFromTypeNode(node.typeArguments[0]!);
        found.push({
          at: `${file}:${line}`,
          file,
          columns: row.flags & ts.TypeFlags.TypeParameter ? undefined : columnsOf(checker, row, node),
          texts: text && texts.of(text),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

const nameOf = (node: ts.Expression): string =>
  ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : "";
