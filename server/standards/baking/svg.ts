import { SaxesParser } from "saxes";
import { Invalid } from "../failure";
import { bakedOpenBadges2 } from "../verify/other-kinds";

/** Open Badges 3.0, section 5.3.2. */
const namespace = "https://purl.imsglobal.org/ob/v3p0";
/** The namespace of Open Badges 2.0 and earlier. */
const oldNamespace = "http://openbadges.org";

/**
 * The deepest nesting of elements. The parser walks up all open elements for each name that it resolves, so parsing
 * takes time quadratic in the depth. Drawing programs nest groups about fifteen deep.
 */
const maxDepth = 32;
const maxElements = 20_000;
/** The most characters, not counting embedded pictures, which are one attribute each. */
const maxCharacters = 2 * 1024 * 1024;
/** The most characters that a credential may have, as a JWT. */
const maxCredential = 1_450_000;
const tooLarge = "The SVG picture is too complex to be searched for a credential.";

/** Whether the bytes look like an SVG file: XML with an svg element in its first 4,096 bytes. */
export const isSvg = (bytes: Uint8Array): boolean => /^\uFEFF?\s*</.test(head(bytes)) && /<svg[\s>]/.test(head(bytes));

const head = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4_096)).toString("utf8");

/**
 * Bakes a credential into an SVG, as an element `openbadges:credential` at the beginning of the root. Replaces one that
 * was baked in before.
 * @param credential JSON, which goes into CDATA, or a JWT, which goes into the attribute `verify`
 * @throws Invalid for what is not an SVG
 */
export function bakeSvg(svg: string, credential: string): string {
  const { rootEnd, isRootEmpty, baked } = scan(svg);
  const element = credential.trimStart().startsWith("{")
    ? // "]]>" would end the CDATA section, so it is split between two sections.
      `<openbadges:credential xmlns:openbadges="${namespace}"><![CDATA[${credential.replaceAll("]]>", "]]]]><![CDATA[>")}]]></openbadges:credential>`
    : `<openbadges:credential xmlns:openbadges="${namespace}" verify="${credential}"/>`;
  const unbaked = (from: number, to: number) =>
    baked
      .filter(({ start }) => start >= from && start < to)
      .reduceRight((text, { start, end }) => text.slice(0, start - from) + text.slice(end - from), svg.slice(from, to));
  const root = svg.slice(0, rootEnd);
  if (isRootEmpty) return `${root.replace(/\s*\/>$/, ">")}${element}</svg>${svg.slice(rootEnd)}`;
  return root + element + unbaked(rootEnd, svg.length);
}

/**
 * Reads the credential that is baked into an SVG.
 * @throws Invalid unless there is exactly one
 */
export function readBakedSvg(svg: string): string {
  const { baked, isBakedBefore } = scan(svg);
  if (baked.length === 0 && isBakedBefore) throw new Invalid(bakedOpenBadges2);
  if (baked.length === 0)
    throw new Invalid("The picture holds no credential. Perhaps it was saved anew, which removes it.");
  if (baked.length > 1) throw new Invalid("The picture holds more than one credential.");
  return baked[0]!.credential.trim();
}

interface Scanned {
  /** The offset just after the start tag of the root. */
  rootEnd: number;
  isRootEmpty: boolean;
  /** Whether the picture holds a badge of version 2.0 or earlier. */
  isBakedBefore: boolean;
  baked: { start: number; end: number; credential: string }[];
}

/** Finds baked credentials with a strict XML parser, which knows only XML's own five entities and loads nothing. */
function scan(svg: string): Scanned {
  const text = svg.replace(/^\uFEFF/, "");
  const shift = svg.length - text.length;
  if (text.replace(/data:image\/[^"'<>]*/g, "").length > maxCharacters) throw new Invalid(tooLarge);
  const parser = new SaxesParser({ xmlns: true, position: true });
  const result: Scanned = { rootEnd: -1, isRootEmpty: false, isBakedBefore: false, baked: [] };
  let depth = 0;
  let elements = 0;
  let current: { start: number; depth: number; credential: string } | undefined;
  parser.on("error", (error) => {
    throw new Invalid("The file is not an SVG picture, or it is damaged.", { cause: error });
  });
  parser.on("opentag", ({ local, uri, attributes, isSelfClosing }) => {
    if (depth === 0) {
      if (local !== "svg") throw new Invalid("The file is not an SVG picture.");
      Object.assign(result, { rootEnd: shift + parser.position, isRootEmpty: isSelfClosing });
    }
    if (local === "assertion" && uri === oldNamespace) result.isBakedBefore = true;
    if (!current && local === "credential" && uri === namespace) {
      const verify = attributes["verify"];
      current = {
        start: text.lastIndexOf("<", parser.position - 1) + shift,
        depth,
        credential: typeof verify === "object" ? verify.value : "",
      };
    }
    depth++;
    elements++;
    if (depth > maxDepth || elements > maxElements) throw new Invalid(tooLarge);
  });
  const add = (part: string) => {
    if (!current || current.depth !== depth - 1) return;
    current.credential += part;
    if (current.credential.length > maxCredential) throw new Invalid("The credential in the picture is too long.");
  };
  parser.on("cdata", add);
  parser.on("text", add);
  parser.on("closetag", () => {
    depth--;
    if (current?.depth !== depth) return;
    result.baked.push({ start: current.start, end: shift + parser.position, credential: current.credential });
    current = undefined;
  });
  parser.write(text).close();
  if (result.rootEnd === -1) throw new Invalid("The file is not an SVG picture.");
  return result;
}
