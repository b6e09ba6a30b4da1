import { hash } from "node:crypto";
import { NQuads, type Quad, type Term } from "rdf-canonize";

/** A part of a line: fixed text, the marker of a slot, or a blank node by its place in the list of blank nodes. */
type Part = string | { marker: string } | { blank: number };
type Line = readonly Part[];

/** Like a slot, so that no text of a template holds it. */
const blankMarker = (blank: number) => `urn:bonafide-slot:blank:${blank}`;

/**
 * A graph with slots, written as N-Quads once. For each credential, what is left of RDFC-1.0 is to hash the statements
 * about each blank node, to number the blank nodes in the order of their hashes, and to sort the lines (sections 4.4 and
 * 4.6). Blank nodes with one hash are left to rdf-canonize (decision 591).
 */
export class GraphTemplate {
  private readonly lines: readonly Line[];
  /** The lines about each blank node. */
  private readonly about: readonly (readonly Line[])[];

  /** @param dataset a graph in which each slot is one whole term */
  constructor(dataset: readonly Quad[]) {
    const blanks = [...new Set(dataset.flatMap(blanksIn))];
    this.lines = dataset.map((quad) => lineOf(quad, blanks));
    this.about = blanks.map((blank) => this.lines.filter((_, i) => blanksIn(dataset[i]!).includes(blank)));
  }

  /**
   * Returns the canonical N-Quads of the graph with values in its slots; undefined if rdf-canonize has to do it.
   * @param values the values of the slots, by marker
   */
  canonical(values: ReadonlyMap<string, string>): string | undefined {
    const hashes = this.about.map((lines, blank) =>
      hash("sha256", filledLines(lines, values, (other) => (other === blank ? "_:a" : "_:z")).join("")),
    );
    const ordered = hashes.toSorted();
    const lines = filledLines(this.lines, values, (blank) => `_:c14n${ordered.indexOf(hashes[blank]!)}`);
    // A dataset is a set: if two values made two statements equal, one of them must go.
    const isUnique = new Set(hashes).size === hashes.length && new Set(lines).size === lines.length;
    return isUnique ? lines.join("") : undefined;
  }
}

const blanksIn = ({ subject, object, graph }: Quad): string[] =>
  [subject, object, graph].filter(({ termType }) => termType === "BlankNode").map(({ value }) => value);

function lineOf({ subject, predicate, object, graph }: Quad, blanks: readonly string[]): Line {
  const marked = (term: Term): Term =>
    term.termType === "BlankNode" ? { termType: "NamedNode", value: blankMarker(blanks.indexOf(term.value)) } : term;
  return NQuads.serializeQuad({ subject: marked(subject), predicate, object: marked(object), graph: marked(graph) })
    .split(/(<urn:bonafide-slot:blank:\d+>|urn:bonafide-slot:(?:text|url):\w+)/)
    .map((text, i) => {
      if (i % 2 === 0) return text;
      return text.startsWith("<") ? { blank: Number(/\d+/.exec(text)![0]) } : { marker: text };
    });
}

function filledLines(
  lines: readonly Line[],
  values: ReadonlyMap<string, string>,
  label: (blank: number) => string,
): string[] {
  return lines
    .map((line) => {
      let text = "";
      for (const part of line)
        text +=
          typeof part === "string" ? part : "blank" in part ? label(part.blank) : escaped(values.get(part.marker)!);
      return text;
    })
    .sort();
}

/** Control characters, the quotation mark and the backslash. */
const special = /[^ !#-[\]-~\u0080-\uffff]/;
const names: Record<string, string> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A text as canonical N-Quads write it. URLs hold none of these characters. */
const escaped = (text: string): string =>
  special.test(text)
    ? text.replace(
        new RegExp(special, "g"),
        (each) => names[each] ?? `\\u${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
      )
    : text;
