import { expect, it } from "vitest";
import { openApiDocument } from "@/server/http/openapi/document";
import { scopesByArea } from "./areas";

it("the guide to authentication lists every scope that an operation asks for", () => {
  const operations = Object.values(openApiDocument().paths ?? {}).flatMap((item) => Object.values(item as object));
  const asked = operations.flatMap(({ security = [] }: { security?: Record<string, string[]>[] }) =>
    security.flatMap(({ oauth = [] }) => oauth),
  );
  expect(asked).toContain("groups:write");
  expect(scopesByArea.flatMap(({ some }) => some)).toEqual(expect.arrayContaining([...new Set(asked)]));
});
