import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { maxLeaves, maxPatterns, maxValues } from "@/server/rules/rule";
import { limits } from "./limits";
import Rules from "./page";

it("the guide names every limit of groups and rules", () => {
  const page = renderToStaticMarkup(createElement(Rules)).replaceAll(/<[^>]+>/g, "");
  for (const limit of Object.values(limits)) expect(page).toContain(limit);
  expect(page).toContain(`${maxLeaves} comparisons`);
  expect(page).toContain(`at most ${maxValues} values`);
  expect(page).toContain(maxPatterns.toLocaleString("en"));
});
