import { expect, it } from "vitest";
import { isTestCode, readSource, sourceFiles } from "@/structure/sources";
import { errorTable } from "./errors";

it("every code of the table is thrown somewhere, so that the documentation lists no fault that cannot occur", () => {
  // These name codes without throwing them.
  const naming = ["server/core/errors.ts", "app/docs/errors/help.ts", "server/http/openapi/refusals.ts"];
  const code = sourceFiles(["ts", "tsx"])
    .filter((file) => /^(server|app|inngest)\//.test(file) && !isTestCode(file) && !naming.includes(file))
    .map((file) => readSource(file))
    .join("\n");
  expect(Object.keys(errorTable).filter((each) => !code.includes(`"${each}"`))).toEqual([]);
});
