import fc from "fast-check";

/** Conditions of lists in other tables, and of the address of a resource, that a search may refuse. */
const refusable =
  /\b(?:groups|members)(?:\[|\.(?:display|type|\$ref)|(?:\.value)? (?:co|sw|gt) )|meta(?:\.location)? (?!pr)/i;
export const mayBeRefused = (filter: string): boolean => refusable.test(filter);

/** Value filters of a list that another table holds, most of which a search refuses. */
export const unsupported = (parts: string[], list: string, values: string[]): fc.Arbitrary<string> => {
  const inner = fc
    .tuple(fc.constantFrom(...parts), fc.constantFrom("eq", "ne", "co", "sw", "gt"), fc.constantFrom(...values))
    .map(([part, op, value]) => `${part} ${op} ${JSON.stringify(value)}`);
  return fc.oneof(
    inner.map((of) => `${list}[${of}]`),
    inner.map((of) => `${list}[not (${of})]`),
    fc.tuple(inner, fc.constantFrom("and", "or"), inner).map((each) => `${list}[${each.join(" ")}]`),
    fc.constantFrom(...parts).map((part) => `${list}[${part} pr]`),
    inner.map((of) => `${list}.${of}`),
    fc.constantFrom(...values).map((value) => `meta.location co ${JSON.stringify(value)}`),
  );
};
