import ts from "typescript-api";
import { expect, it } from "vitest";
import { readSource, sourceFiles } from "./sources";

/**
 * Returns the calls of vi.waitFor and vi.waitUntil that leave the bound to Vitest, and the loops that ask for locks until
 * there is one.
 */
function unboundedWaits(file: string): string[] {
  const source = readSource(file);
  if (!/vi\.wait|while \(/.test(source)) return [];
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isWait = ts.isCallExpression(node) && /^vi\.wait(For|Until)$/.test(node.expression.getText());
    if (
      (isWait && node.arguments.length < 2) ||
      (ts.isWhileStatement(node) && node.expression.getText().includes("waitingForLock("))
    )
      found.push(`${file}:${parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

it("each wait of a test names its bound, because one second is too short for a busy machine", () => {
  const files = sourceFiles(["ts", "tsx", "mjs"]).filter((file) => /\.test\.|\/testing\//.test(file));
  const found = files.flatMap(unboundedWaits);
  expect(found).toEqual([]);
});
