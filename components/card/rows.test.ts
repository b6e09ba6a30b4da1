import { expect, it } from "vitest";
import { fitRows, shownInFlow } from "./rows";

const fields = (...widths: ("quarter" | "third" | "half" | "full" | undefined)[]) =>
  widths.map((width, key) => ({ key, width }));

it("breaks the row where a field does not fit next to the fields before it", () => {
  const shown = fitRows(fields("half", "half", "full", "quarter"), { rows: 2, usual: "half" });
  expect(shown.map(({ field, span }) => [field.key, span])).toEqual([
    [0, 6],
    [1, 6],
    [2, 12],
  ]);
});

it("gives fields without a width the default width", () => {
  expect(fitRows(fields(undefined, "third"), { rows: 1, usual: "third" }).map(({ span }) => span)).toEqual([4, 4]);
});

it("a front without widths shows four fields, as in earlier versions", () => {
  expect(shownInFlow(fields(undefined, undefined, undefined, undefined, undefined), "front")).toHaveLength(4);
});

it("a front with widths shows two rows, a back five", () => {
  expect(shownInFlow(fields("full", "full", "full"), "front")).toHaveLength(2);
  expect(shownInFlow(fields("full", "full", "full", "full", "full", "full"), "back")).toHaveLength(5);
});
