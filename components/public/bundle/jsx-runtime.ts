// The JSX runtime of the public pages on the server: scripts/build/build-public.mjs replaces react/jsx-runtime with it.
// It writes HTML directly and builds no tree, which takes two fifths of the time of react-dom/server
// (docs/decisions/442-public-pages-are-strings.md). app/c/public-pages.test.tsx compares its pages with React's.

/** HTML that can be inserted into a page without escaping. */
export class Html {
  constructor(readonly html: string) {}
}

type Props = Record<string, unknown>;
type Component = (props: Props) => unknown;

/** Writes an element, or calls a component. */
export function jsx(type: string | Component, props: Props): unknown {
  return typeof type === "string" ? new Html(element(type, props)) : type(props);
}

export const jsxs = jsx;
export const Fragment: Component = ({ children }) => children;

/** Writes what a component returned, as React would: nothing for null, undefined and booleans; text is escaped. */
export function toHtml(node: unknown): string {
  if (node instanceof Html) return node.html;
  if (typeof node === "string") return escaped(node);
  if (typeof node === "number") return String(node);
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (!Array.isArray(node)) throw new TypeError("This cannot be written as HTML.");
  let html = "";
  for (const each of node) html += toHtml(each);
  return html;
}

const voidElements = new Set(["br", "hr", "img", "input", "link", "meta"]);
/** The parts of a tag around its attributes and its content. Few long parts are joined faster than many short ones. */
const tags = new Map<string, { open: string; close: string }>();

function partsOf(tag: string) {
  let parts = tags.get(tag);
  if (!parts) tags.set(tag, (parts = { open: `<${tag}`, close: voidElements.has(tag) ? ">" : `</${tag}>` }));
  return parts;
}

function element(tag: string, props: Props): string {
  let attributes = "";
  let content = "";
  for (const name in props) {
    const value = props[name];
    if (name === "children") content = toHtml(value);
    else if (name === "dangerouslySetInnerHTML") content = (value as { __html: string }).__html;
    else if (tag === "textarea" && (name === "value" || name === "defaultValue")) content = escaped(String(value));
    else attributes += attribute(name, value);
  }
  const { open, close } = partsOf(tag);
  return voidElements.has(tag) ? open + attributes + close : `${open + attributes}>${content}${close}`;
}

/** Names that differ in HTML and SVG. HTML ignores the case of all others. */
const names: Record<string, string> = {
  className: "class",
  htmlFor: "for",
  httpEquiv: "http-equiv",
  defaultValue: "value",
  defaultChecked: "checked",
  strokeWidth: "stroke-width",
  strokeLinecap: "stroke-linecap",
  strokeLinejoin: "stroke-linejoin",
  shapeRendering: "shape-rendering",
  fillRule: "fill-rule",
  clipRule: "clip-rule",
};
/** Attributes of HTML that are written without a value where they are true. */
const booleans = new Set(
  "autoFocus autoPlay checked defaultChecked disabled download hidden multiple muted noModule open playsInline readOnly required".split(
    " ",
  ),
);

function attribute(name: string, value: unknown): string {
  if (value === null || value === undefined || name === "key" || name === "ref") return "";
  if (typeof value === "function" || name === "suppressHydrationWarning") return "";
  if (name === "className") return classAttribute(value as string);
  const written = names[name] ?? name;
  if (typeof value === "boolean") {
    if (booleans.has(name)) return value ? ` ${written}=""` : "";
    // Enumerated attributes, such as aria-hidden and spellCheck, get the words true and false. React omits other
    // attributes with such values.
    return /^(?:aria-|data-|spellCheck$|contentEditable$|draggable$)/.test(name) ? ` ${written}="${value}"` : "";
  }
  if (name === "style") return ` style="${escaped(styleText(value as Record<string, unknown>))}"`;
  const text = String(value);
  // Like React, never writes an address that runs a script.
  if (
    (name === "href" || name === "src") &&
    /^[\0-\x20]*j[\s]*a[\s]*v[\s]*a[\s]*s[\s]*c[\s]*r[\s]*i[\s]*p[\s]*t[\s]*:/i.test(text)
  )
    return "";
  return ` ${written}="${escaped(text)}"`;
}

const classes = new Map<string, string>();
/** More than the sources of all pages contain. */
const keptClasses = 2_000;

/** Escaped values are cached: half of what a page escapes are its classes. */
function classAttribute(value: string): string {
  let written = classes.get(value);
  if (written === undefined) {
    written = ` class="${escaped(String(value))}"`;
    if (classes.size < keptClasses) classes.set(value, written);
  }
  return written;
}

/** Properties whose numbers have no unit. */
const unitless = new Set(["opacity", "zIndex", "lineHeight", "fontWeight", "flex", "order"]);

function styleText(style: Record<string, unknown>): string {
  let text = "";
  for (const name in style) {
    const value = style[name];
    if (value === null || value === undefined || value === "" || typeof value === "boolean") continue;
    const written = name.startsWith("--") ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const isLength = typeof value === "number" && value !== 0 && !unitless.has(name) && !name.startsWith("--");
    text += `${text && ";"}${written}:${String(value).trim()}${isLength ? "px" : ""}`;
  }
  return text;
}

const special = /["&'<>\u2010-\u2027]/;

/**
 * Escapes a text. Quotation marks, dashes and the ellipsis (U+2010 to U+2027) are escaped too: in most pages in Latin
 * script no other character is above U+00FF, and V8 encodes a text without them in two thirds of the time.
 *
 * A loop over a switch is faster here than `replace` with a function: the properties of islands are full of quotes.
 */
function escaped(text: string): string {
  let at = text.search(special);
  if (at === -1) return text;
  let html = "";
  let from = 0;
  for (; at < text.length; at++) {
    const entity = entityOf(text.charCodeAt(at));
    if (entity === null) continue;
    html += from === at ? entity : text.slice(from, at) + entity;
    from = at + 1;
  }
  html += text.slice(from);
  return wide.test(text) && !wide.test(html) ? narrowed(html) : html;
}

function entityOf(character: number): string | null {
  switch (character) {
    case 34:
      return "&quot;";
    case 38:
      return "&amp;";
    case 39:
      return "&#x27;";
    case 60:
      return "&lt;";
    case 62:
      return "&gt;";
    default:
      return character >= 0x2010 && character <= 0x2027 ? `&#${character};` : null;
  }
}

const wide = /[\u0100-\uffff]/;
/** Copies a text, because V8 keeps the parts of a text with two bytes a character as they are. */
const narrowed = (text: string): string => Buffer.from(text, "latin1").toString("latin1");
