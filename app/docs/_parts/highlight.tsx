import type { ReactNode } from "react";

const looks = { comment: "text-muted italic", string: "text-success-soft-foreground", name: "text-link" } as const;

/**
 * Highlights comments, strings, and the first names of shell lines and JSON members, which is enough for orientation.
 */
const parts =
  /(?<comment>(?<=^|\s)(?:#|\/\/)\s.*$)|(?<string>"(?:[^"\\\n]|\\.)*"(?!\s*:)|'[^'\n]*')|(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:)|(?<=^|\|\s?|\$\()(?:curl|export|node|npm|npx|openssl)\b)/gm;

export function highlight(code: string): ReactNode[] {
  const out: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(parts)) {
    const [kind] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!;
    out.push(
      code.slice(end, match.index),
      <span key={match.index} className={looks[kind as keyof typeof looks]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...out, code.slice(end)];
}
