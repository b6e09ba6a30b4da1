/**
 * Splits an SQL script into its statements. A semicolon within quotes, dollar quotes or comments does not end a
 * statement.
 *
 * @param {string} script
 * @returns {{ text: string, line: number }[]} `text`: from the first word on, without leading comments and the
 * semicolon; `line`: the line of the script, from 1, where it begins
 */
export function statementsOf(script) {
  const statements = [];
  let start = -1;
  const end = (at) => {
    if (start >= 0)
      statements.push({ text: script.slice(start, at).trim(), line: script.slice(0, start).split("\n").length });
    start = -1;
  };
  for (let at = 0; at < script.length; ) {
    const [token] = tokenAt(script, at);
    if (token === ";") end(at);
    else if (start < 0 && !/^(\s|--|\/\*)/.test(token)) start = at;
    at += token.length;
  }
  end(script.length);
  return statements;
}

/** The statement without comments, to check its first words. */
export function withoutComments(statement) {
  let bare = "";
  for (let at = 0; at < statement.length; ) {
    const [token] = tokenAt(statement, at);
    bare += /^(--|\/\*)/.test(token) ? " " : token;
    at += token.length;
  }
  return bare.trim();
}

// The parts of PostgreSQL's lexical structure that can contain a semicolon (manual, section 4.1). A backslash escapes
// only within E'…'.
const tokens = [
  /--[^\n]*/y,
  /[eE]'(?:[^'\\]|\\[^]|'')*'/y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /\$([A-Za-z_\u0080-\uffff][A-Za-z_0-9\u0080-\uffff]*)?\$[^]*?\$\1\$/y,
  /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  /\s+/y,
  /[^]/y,
];

function tokenAt(script, at) {
  const comment = blockCommentAt(script, at);
  if (comment) return [comment];
  for (const token of tokens) {
    token.lastIndex = at;
    const match = token.exec(script);
    if (match) return match;
  }
}

/** Block comments nest in PostgreSQL. */
function blockCommentAt(script, at) {
  if (!script.startsWith("/*", at)) return undefined;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  for (let depth = 0, mark; (mark = marks.exec(script)); ) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return script.slice(at, marks.lastIndex);
  }
  return script.slice(at);
}
