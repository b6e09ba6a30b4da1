import { fitLines, lineHeight } from "./fit-lines";
import { heightOf, outlineOf } from "./outline";

export interface Colors {
  background: string;
  foreground: string;
  accent: string;
}

/** The texts of a drawn badge. */
export interface BadgeText {
  /** The name of the achievement. */
  title: string;
  issuer: string;
  /** The organisation's language. */
  language: string;
  colors: Colors;
}

/** Width and height of a badge, in pixels. */
export const badgeSide = 600;

const middle = badgeSide / 2;
/** The centre of the medal, above the ribbon. */
const centre = 276;

/**
 * Draws a badge for an achievement that has no picture: a medal with its name, and a ribbon with the issuer's. Text is
 * outlines, so it looks the same wherever it is shown. The same text gives the same bytes.
 */
export function drawBadge({ title, issuer, language, colors }: BadgeText): string {
  const { background, foreground, accent } = colors;
  const name = fitLines(title, {
    style: "serif",
    weight: 700,
    language,
    width: 312,
    height: 226,
    largest: 54,
    smallest: 21,
  });
  const from = fitLines(issuer, {
    style: "sans",
    weight: 700,
    language,
    width: 390,
    height: 58,
    largest: 27,
    smallest: 13,
  });
  const nameTop = 294 - heightOf(name) / 2;
  const issuerTop = 473 - heightOf(from) / 2;
  const onAccent = readableOn(accent);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${badgeSide} ${badgeSide}" width="${badgeSide}" height="${badgeSide}" role="img" aria-label="${escaped(`${title}, ${issuer}`)}">
<title>${escaped(title)}</title>
<path fill="${accent}" d="${scallops(260, 8, 40)}"/>
<circle cx="${middle}" cy="${centre}" r="238" fill="${background}"/>
<g fill="none" stroke="${accent}"><g stroke-width="1" opacity="0.3">${rosette()}</g><circle cx="${middle}" cy="${centre}" r="226" stroke-width="2.5"/><circle cx="${middle}" cy="${centre}" r="219" stroke-width="1"/></g>
<circle cx="${middle}" cy="${centre}" r="184" fill="${background}"/><circle cx="${middle}" cy="${centre}" r="184" fill="none" stroke="${accent}" stroke-width="1.2"/>
<g transform="translate(${middle - 25} 118) scale(0.78)">${issuerMark(accent, background)}</g>
<path fill="${foreground}" d="${outlineOf(name, { x: middle, y: baseline(nameTop, name.size) })}"/>
<g fill="${accent}"><path d="M28 452h86v80H28l24-40zM572 452h-86v80h86l-24-40z"/><path fill="#000" opacity="0.28" d="M28 452h86v80H28l24-40zM572 452h-86v80h86l-24-40zM76 512l38 20v-20zM524 512l-38 20v-20z"/><path d="M76 424h448v88H76z"/></g>
<path fill="none" stroke="${onAccent}" stroke-width="1.2" opacity="0.55" d="M86 434h428v68H86z"/>
<path fill="${onAccent}" d="${outlineOf(from, { x: middle, y: baseline(issuerTop - 4, from.size) })}"/>
</svg>`;
}

/** The first baseline of text whose top is at `top`: letters rise about 0.84 of their size above it. */
const baseline = (top: number, size: number) => top + size * 0.84 - (size * (lineHeight - 1)) / 4;

/**
 * Draws the replacement for a missing logo, on a field of 64 × 64: a seal with a ring. It has no check mark, which next
 * to an unconfirmed name would look like a confirmation.
 */
export const issuerMark = (fill: string, ring: string) =>
  `<path fill="${fill}" d="${seal}"/><circle cx="32" cy="32" r="11" fill="none" stroke="${ring}" stroke-width="6"/>`;

const seal =
  "M32 5.4Q40.59-.07 45.3 8.96 55.48 8.52 55.04 18.7 64.07 23.41 58.6 32 64.07 40.59 55.04 45.3 55.48 55.48 45.3 55.04 40.59 64.07 32 58.6 23.41 64.07 18.7 55.04 8.52 55.48 8.96 45.3-.07 40.59 5.4 32-.07 23.41 8.96 18.7 8.52 8.52 18.7 8.96 23.41-.07 32 5.4Z";

/** A round edge of `count` lobes. */
function scallops(radius: number, depth: number, count: number): string {
  const point = (angle: number, r: number) =>
    `${(middle + r * Math.sin(angle)).toFixed(1)} ${(centre - r * Math.cos(angle)).toFixed(1)}`;
  const part = (2 * Math.PI) / count;
  const arcs = Array.from(
    { length: count },
    (_, index) => `Q${point((index + 0.5) * part, radius + depth)} ${point((index + 1) * part, radius - depth)}`,
  );
  return `M${point(0, radius - depth)}${arcs.join("")}Z`;
}

/** Fine curves as on banknotes. */
const rosette = () =>
  Array.from(
    { length: 36 },
    (_, index) =>
      `<ellipse cx="${middle}" cy="${centre}" rx="218" ry="150" transform="rotate(${index * 5} ${middle} ${centre})"/>`,
  ).join("");

/** Returns ink or paper, whichever is easier to read on a colour. */
export function readableOn(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? "#1b242b" : "#ffffff";
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
