import { badRequest } from "./error";

export type Comparison = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";
export type Value = string | number | boolean | null;

/** A filter of RFC 7644 section 3.4.2.2. Names are as they were sent. */
export type Filter =
  | { op: "and" | "or"; of: Filter[] }
  | { op: "not"; of: Filter }
  /** A value filter: emails[type eq "work"]. */
  | { op: "each"; name: string; of: Filter }
  | { op: "pr"; name: string }
  | { op: Comparison; name: string; value: Value };

const comparisons = new Set<string>(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]);
const longestFilter = 4_000;
const deepest = 20;
const mostConditions = 100;

/**
 * Parses a filter by recursive descent. Operators are accepted in any case, and a text may have no quotes or single
 * ones, because some providers send `externalId eq jyoung`.
 *
 * @throws ScimError invalidFilter
 */
export function parseFilter(text: string): Filter {
  return new Parser(text).whole();
}

/** Parses the text between the brackets of a value filter. @throws ScimError invalidFilter */
export const parseFilterOf = parseFilter;

class Parser {
  readonly #tokens: string[];
  #at = 0;
  #conditions = 0;

  constructor(text: string) {
    if (text.length > longestFilter)
      throw badRequest("invalidFilter", `The filter has more than ${longestFilter.toLocaleString("en")} characters.`);
    this.#tokens = tokensOf(text);
  }

  whole(): Filter {
    const filter = this.#or(0);
    if (this.#at < this.#tokens.length) throw wrong();
    return filter;
  }

  #or(depth: number): Filter {
    return this.#chain("or", () => this.#chain("and", () => this.#factor(depth + 1)));
  }

  #chain(word: "and" | "or", next: () => Filter): Filter {
    const all = [next()];
    while (this.#peek()?.toLowerCase() === word) {
      this.#at++;
      all.push(next());
    }
    return all.length === 1 ? all[0]! : { op: word, of: all };
  }

  #factor(depth: number): Filter {
    if (depth > deepest) throw badRequest("invalidFilter", `The filter is nested more than ${deepest} levels deep.`);
    if (this.#peek() === "(") return this.#within("(", ")", depth);
    if (this.#peek()?.toLowerCase() === "not" && this.#tokens[this.#at + 1] === "(") {
      this.#at++;
      return { op: "not", of: this.#within("(", ")", depth) };
    }
    const name = this.#name();
    if (this.#peek() !== "[") return this.#condition(name);
    const of = this.#within("[", "]", depth);
    const after = this.#peek();
    if (!after?.startsWith(".")) return { op: "each", name, of };
    // Entra sends emails[type eq "work"].value eq "x": one value must fulfil both conditions.
    this.#at++;
    return { op: "each", name, of: { op: "and", of: [of, this.#condition(after.slice(1))] } };
  }

  #within(open: string, close: string, depth: number): Filter {
    if (this.#next() !== open) throw wrong();
    const filter = this.#or(depth);
    if (this.#next() !== close) throw wrong();
    return filter;
  }

  #condition(name: string): Filter {
    if (!/^[A-Za-z$][\w$.:-]*$/.test(name)) throw wrong();
    if (++this.#conditions > mostConditions)
      throw badRequest("invalidFilter", `The filter has more than ${mostConditions} conditions.`);
    const op = this.#next().toLowerCase();
    if (op === "pr") return { op, name };
    if (!comparisons.has(op)) throw wrong();
    return { op: op as Comparison, name, value: valueOf(this.#next()) };
  }

  #name(): string {
    const token = this.#next();
    if (!/^[A-Za-z$][\w$.:-]*$/.test(token)) throw wrong();
    return token;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw wrong();
    return token;
  }
}

const wrong = () =>
  badRequest(
    "invalidFilter",
    'The filter is not understood. It is of the form: userName eq "ada" and (active eq true or emails[type eq "work"]).',
  );

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const token = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'(?=[\s()[\]]|$))|([()[\]])|([^\s()[\]"]+))/sy;
  let at = 0;
  const end = text.trimEnd().length;
  while (at < end) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) throw wrong();
    tokens.push(found[1] ?? found[2] ?? found[3]!);
    at = token.lastIndex;
  }
  return tokens;
}

function valueOf(token: string): Value {
  if (token.startsWith('"')) {
    try {
      return storable(JSON.parse(token) as string);
    } catch {
      throw wrong();
    }
  }
  if (token.startsWith("'") && token.endsWith("'") && token.length > 1)
    return storable(token.slice(1, -1).replaceAll(/\\(.)/gs, "$1"));
  // Taken literally, a value in other quotes, or with only one quote, would find nobody.
  if (/^[()[\]]$|^['‘’‚“”„`«]/.test(token)) throw wrong();
  const word = token.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(token) ? Number(token) : storable(token);
}

/** Refuses characters that PostgreSQL cannot store in a text: NUL and lone surrogates, also as escapes. */
function storable(text: string): string {
  if (text.includes("\0") || !text.isWellFormed()) throw wrong();
  return text;
}
