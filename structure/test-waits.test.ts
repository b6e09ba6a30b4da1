import ts from "typescript-api";
import { expect, it } from "vitest";
import { readSource, sourceFiles } from "./sources";

/** Returns the calls of vi.waitFor and vi.waitUntil that leave the bound to Vitest. */
function unboundedWaits(file: string): string[] {
  const source = readSource(file);
  if (!source.includes("vi.wait")) return [];
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      /^vi\.wait(For|Until)$/.test(node.expression.getText()) &&
      node.arguments.length < 2
    )
      found.push(`${file}:${parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

it("each vi.waitFor and vi.waitUntil of a test names its bound, because one second is too short for a busy machine", () => {
  const files = sourceFiles(["ts", "tsx", "mjs"]).filter((file) => /\.test\.|\/testing\//.test(file));
  expect(files.flatMap(unboundedWaits)).toEqual([]);
});
