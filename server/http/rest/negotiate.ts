interface Range {
  type: string;
  q: number;
}

/**
 * Chooses the media type that the header Accept prefers (RFC 9110 section 12.5.1): by its weight, then exact names
 * before wildcards, then by the order of `offered`. The first one if the header is missing or accepts none of them.
 *
 * @param offered media types, the default first
 */
export function negotiated<Type extends string>(accept: string | null, offered: readonly [Type, ...Type[]]): Type {
  const ranges = (accept ?? "").slice(0, 4_000).split(",").map(rangeOf);
  const rated = offered.map((type) => {
    const fitting = ranges
      .map(({ type: range, q }) => ({ exact: exactness(range, type), q }))
      .filter(({ exact }) => exact > 0)
      .toSorted((a, b) => b.exact - a.exact);
    return { type, ...(fitting[0] ?? { exact: 0, q: 0 }) };
  });
  const [best] = rated.filter(({ q }) => q > 0).toSorted((a, b) => b.q - a.q || b.exact - a.exact);
  return best?.type ?? offered[0];
}

/** 3 for the type itself, 2 for its family, 1 for any, 0 if the range does not contain it. */
function exactness(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split("/")[0]}/*`) return 2;
  return range === "*/*" ? 1 : 0;
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith("q="));
  const q = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, q: Number.isNaN(q) ? 0 : q };
}
