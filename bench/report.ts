import { cpus } from "node:os";
import type { Row } from "./measure";

const widths = [70, 19, 64, 8, 22, 6];

/** The head of the table, as Markdown that is also readable as plain text. */
export const heading = [
  cells(["what", "result", "reference, same run", "ratio", "target", ""]),
  cells(widths.map((width) => "-".repeat(width))),
].join("\n");

export function line(row: Row): string {
  const { name, value, unit, reference, target } = row;
  return cells([
    name,
    `${rounded(value)} ${unit}`,
    reference ? `${reference.name}: ${rounded(reference.value)}` : "",
    reference ? ratio(row) : "",
    target ? aim(row) : "",
    target ? (isMet(row) ? "met" : "MISSED") : "",
  ]);
}

/**
 * Returns the whole file: a new table, followed by the text that people wrote below the old one, from the first heading
 * of level 2 on.
 */
export function report(rows: Row[], date: Date, previous: string): string {
  const written = previous.indexOf("\n## ");
  return `# Results

Written by \`npm run bench\` on ${date.toISOString().slice(0, 10)}: ${machine()}.
Server, load and PostgreSQL share this one machine over loopback. Figures are of this machine; the ratios carry over.

${heading}
${rows.map(line).join("\n")}
${written === -1 ? "" : previous.slice(written)}`;
}

/** Returns the whole file with another table under this heading of level 2; the text below it stays. */
export function section(rows: Row[], title: string, date: Date, previous: string): string {
  const begin = previous.indexOf(`\n## ${title}\n`);
  const [before, after] =
    begin === -1 ? [previous.trimEnd() + "\n", ""] : [previous.slice(0, begin), rest(previous, begin)];
  return `${before}
## ${title}

Written by \`npm run bench -- university\` on ${date.toISOString().slice(0, 10)}: ${machine()}.

${heading}
${rows.map(line).join("\n")}
${after}`;
}

/** What people wrote below the table of the section that begins here, and all that follows. */
function rest(previous: string, begin: number): string {
  const lines = previous.slice(begin).split("\n");
  const lastRow = lines.findLastIndex(
    (text, at) => text.startsWith("|") && !lines.slice(2, at).some((each) => each.startsWith("## ")),
  );
  return lines.slice(lastRow + 1).join("\n");
}

const machine = () => `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.versions.node}`;

function cells(texts: string[]): string {
  return `| ${texts.map((text, i) => text.padEnd(widths[i]!)).join(" | ")} |`;
}

function ratio({ value, reference, target }: Row): string {
  const times = value / reference!.value;
  return target && "min" in target && target.min < 1 ? `${Math.round(100 * times)} %` : `${times.toFixed(2)} ×`;
}

function aim({ reference, unit, target }: Row): string {
  const [sign, limit] = "min" in target! ? ["≥", target.min] : ["≤", target!.max];
  if (!reference) return `${sign} ${rounded(limit)} ${unit.split(" ")[0]}`;
  return limit < 1 ? `${sign} ${100 * limit} %` : `${sign} ${limit} ×`;
}

function isMet({ value, reference, target }: Row): boolean {
  const measured = reference ? value / reference.value : value;
  return "min" in target! ? measured >= target.min : measured <= target!.max;
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2);
}
