import { expect, it } from "vitest";
import { compileMapping } from "./map-row";
import { mapping } from "./mapping";

const read = (from: object, cells: string[]) => {
  const map = compileMapping(mapping.parse({ externalId: "id", attributes: { a: { from: "a", ...from } } }), [
    "id",
    "a",
  ]);
  return cells.map((cell) => {
    const { fields, errors } = map(["1", cell]);
    return errors[0]?.code ?? (fields["attributes"] as { a: unknown }).a;
  });
};

it("reads numbers with the decimal separator of the mapping", () => {
  const cells = ["3", "-2.5", "1,234.5", "1 234.5", "", "1,5", "12,34.5", "1e3", "0x10", "three", "1234567890123456"];
  expect(read({ transform: "trim", decimal: "." }, cells)).toEqual([
    3,
    -2.5,
    1234.5,
    1234.5,
    null,
    ...Array<string>(6).fill("invalid_number"),
  ]);
  expect(read({ transform: "trim", decimal: "," }, ["1,5", "1.234", "1.234,5", "1.5"])).toEqual([
    1.5,
    1234,
    1234.5,
    "invalid_number",
  ]);
});

it("refuses a field with both decimal and values", () => {
  const wrong = mapping.safeParse({
    externalId: "id",
    attributes: { a: { from: "a", transform: "trim", decimal: ".", values: { one: 1 } } },
  });
  expect(wrong.error?.message).toContain("values or decimal, not both");
});
