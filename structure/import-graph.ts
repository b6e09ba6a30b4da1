import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
// TypeScript 7 has no JavaScript API; 5.9's is installed under this name.
import ts from "typescript-api";
import { code, readSource, root, sourceFiles } from "./sources";

export interface Import {
  /** The importing file, relative to the project. */
  from: string;
  /** The imported file, relative to the project, or the name of a package. */
  to: string;
  isPackage: boolean;
  /** Whether the import is removed from the compiled code. */
  isTypeOnly: boolean;
}

/** Returns every import of the source files: static, dynamic, re-exported, and of types (also `import("…").Name`). */
export function importGraph(files = sourceFiles(code)): Import[] {
  return files.flatMap((from) => importsOf(from, readSource(from)));
}

/**
 * @throws Error for a path that leads to no file, because an import that cannot be followed would escape the checks.
 */
export function importsOf(from: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      found.push({ from, ...resolve(from, specifier.text), isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(from, text, ts.ScriptTarget.Latest, false, from.endsWith("x") ? ts.ScriptKind.TSX : undefined),
  );
  return found;
}

/**
 * Whether it is `import type …`. verbatimModuleSyntax turns `import { type A, type B }` into an import without names,
 * so that counts as code.
 */
const isTypeImport = ({ importClause }: ts.ImportDeclaration) => importClause?.isTypeOnly ?? false;

const endings = ["", ".ts", ".tsx", ".mjs", "/client.ts"];

function resolve(from: string, specifier: string): { to: string; isPackage: boolean } {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? normalize(join(dirname(from), specifier))
      : undefined;
  if (path === undefined) return { to: packageName(specifier), isPackage: true };
  const ending = endings.find((each) => existsSync(join(root, path + each)) && /\.\w+$/.test(path + each));
  // Built files, which may not exist yet: the Prisma client, the table of routes, the server's bundle.
  if (ending === undefined && !/\/generated\/|^\.build\//.test(path))
    throw new Error(`${from} imports ${specifier}, which is not there`);
  return { to: path + (ending ?? ""), isPackage: false };
}

const packageName = (specifier: string) =>
  specifier.startsWith("node:")
    ? "node"
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
