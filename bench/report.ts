import { cpus } from "node:os";
import type { Row } from "./load";

const rounded = (value: number) => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2));

/** The results as a Markdown table; a missed target is said to be missed. */
export function report(rows: Row[], date: Date): string {
  const lines = rows.map((row) => {
    const ratio = row.reference ? `${row.unit.startsWith("ms") ? (row.value / row.reference.value).toFixed(2) + " ×" : Math.round((100 * row.value) / row.reference.value) + " %"}` : "";
    const reference = row.reference ? `${row.reference.name}: ${rounded(row.reference.value)}` : "";
    return `| ${row.name} | ${rounded(row.value)} ${row.unit} | ${reference} | ${ratio} | ${row.target ?? ""} |`;
  });
  return `# Results

Written by \`npm run bench\` on ${date.toISOString().slice(0, 10)}: ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), Node ${process.versions.node},
server, load and PostgreSQL on one machine over loopback. Figures are of this machine; the ratios carry over.

| what | result | reference, same run | ratio | target |
|---|---|---|---|---|
${lines.join("\n")}
`;
}
