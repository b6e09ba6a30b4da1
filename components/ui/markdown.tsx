import type { ReactElement, ReactNode } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";

/** Nobody writes lists and quotes that nest deeper than this, and they would exhaust the stack. */
const maxDepth = 24;
/** The longest narrative of an achievement. */
const maxLength = 10_000;

/**
 * Constructs that take the parser seconds (measured at 10,000 characters) and that nobody writes: twelve nested lists
 * or quotes, long runs of emphasis, and hundreds of brackets.
 */
const tooCostly = [/^[ \t]*(?:>[ \t]?|[-+*][ \t]+|\d{1,9}[.)][ \t]+){12}/m, /\*{8}|_{8}/, /^(?:[^[]*\[){100}/];

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
// The page has headings of its own, to which these must not be added.
const heading = ({ children }: { children?: ReactNode }) => <p className="font-semibold">{children}</p>;

const components: Components = {
  ...Object.fromEntries(headings.map((tag) => [tag, heading])),
  a: Out,
  // A picture would be loaded from another host, which would learn who reads the page.
  img: ({ alt }) => <>{alt}</>,
};

const options: Options = {
  components,
  allowedElements: [..."p a strong em ul ol li blockquote code pre hr br img".split(" "), ...headings],
  unwrapDisallowed: true,
  rehypePlugins: [() => refuseDeep],
};

const look =
  "space-y-2 wrap-anywhere [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-muted [&_code]:font-mono [&_ol]:list-decimal [&_ol]:pl-5 [&_pre]:whitespace-pre-wrap [&_ul]:list-disc [&_ul]:pl-5";

/**
 * Shows Markdown (CommonMark) from anybody. HTML in it is shown as text, pictures as their description, and each link
 * names its host (decision 441).
 */
export function Markdown({ text, className = "" }: { text: string; className?: string }) {
  return <div className={`${look} ${className}`}>{rendered(text)}</div>;
}

/** The source, if the text nests too deep or would take too long. */
function rendered(text: string): ReactElement {
  const plain = <p className="whitespace-pre-line">{text}</p>;
  if (text.length > maxLength || tooCostly.some((pattern) => pattern.test(text))) return plain;
  try {
    return ReactMarkdown({ ...options, children: text });
  } catch {
    return plain;
  }
}

interface Node {
  children?: Node[];
}

function refuseDeep(tree: Node): void {
  let level = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new Error("The Markdown nests too deep.");
    level = level.flatMap(({ children = [] }) => children);
  }
}

function Out({ href = "", children }: { href?: string; children?: ReactNode }) {
  const url = /^https?:\/\//i.test(href) ? URL.parse(href) : null;
  if (!url) return <>{children}</>;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" className="text-link underline">
        {children}
      </a>
      {children !== href && <span className="text-muted"> ({url.host})</span>}
    </>
  );
}
