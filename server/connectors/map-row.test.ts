import fc from "fast-check";
import { expect, it } from "vitest";
import { dateFormats } from "./cell-formats";
import { columnsOf, compileMapping } from "./map-row";
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

it("maps any row by any mapping that the API accepts, without an exception and without touching a prototype", () => {
  const names = fc.constantFrom("id", "a", "b", "__proto__", "constructor", "toString");
  const cell = fc.oneof(fc.string(), fc.constantFrom("", "active", "1,5", "31/02/2000", "__proto__", "\0", "\u202e"));
  const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
  const values = fc.option(fc.dictionary(fc.oneof(names, cell), value, { maxKeys: 5 }), { nil: undefined });
  const source = fc.oneof(
    names,
    fc.record({ from: names, transform: fc.constantFrom("trim", "lower"), values }),
    fc.record({ from: names, transform: fc.constant("trim"), decimal: fc.constantFrom(".", ",") }),
    fc.record({ from: names, transform: fc.constant("date"), format: fc.constantFrom(...dateFormats) }),
    fc.record({ transform: fc.constant("constant"), value }),
    fc.record({ transform: fc.constant("template"), template: fc.string({ minLength: 1 }) }),
  );
  const any = fc.record(
    {
      externalId: source,
      displayName: source,
      email: source,
      status: source,
      attributes: fc.dictionary(names, source),
      groups: fc.array(fc.oneof(names, fc.record({ from: names, separator: fc.constantFrom(";", "|") })), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: ["externalId"] },
  );
  const known = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(any, fc.array(cell, { maxLength: 8 }), (sent, cells) => {
      const parsed = mapping.safeParse(sent);
      if (!parsed.success) return;
      const headers = columnsOf(parsed.data);
      const row = compileMapping(parsed.data, headers)(cells);
      const attributes = row.fields["attributes"] as object | undefined;
      const named = new Set([
        ...Object.keys(parsed.data.attributes ?? {}).map((name) => `attributes.${name}`),
        "displayName",
        "email",
        "status",
      ]);
      for (const name of Object.keys(attributes ?? {})) expect(named).toContain(`attributes.${name}`);
      for (const name of Object.keys(row.fields)) expect(["attributes", ...named]).toContain(name);
      for (const { message } of row.errors) expect(message).not.toBe("");
    }),
    { numRuns: 2000 },
  );
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(known);
});
