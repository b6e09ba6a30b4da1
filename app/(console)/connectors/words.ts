import type { RouterOutputs } from "@/server/trpc/root";

export type Connector = RouterOutputs["connectors"]["list"]["data"][number];
export type Run = RouterOutputs["connectors"]["run"];

/** Whether the connector fetches from a source, over http or SFTP. */
export const isFetched = ({ type, settings }: Connector) =>
  type === "http" || (type === "sftp" && settings["direction"] === "fetch");

/** Whether the connector receives files by SFTP. */
export const isSentTo = ({ type, settings }: Connector) => type === "sftp" && settings["direction"] === "receive";

/** The priority of a new connector (server/connectors/insert.ts). */
export const usualPriority = 100;

export const priorityHelp =
  "From 1 to 1000. Where several connectors give a field of a person a value, the one with the lowest number decides. With the same number, the newest value stays. A new number counts from the next change of each person: what is here stays until then.";

/** What a file lists, as a form says it. */
export const modeOptions: readonly { value: Connector["mode"]; label: string; description: string }[] = [
  { value: "full", label: "Everybody", description: "Each file is the whole list." },
  { value: "delta", label: "Those who changed", description: "Nobody is missing from it." },
];

/** What happens to people whom a file no longer lists, as a form says it. */
export const missingOptions: readonly { value: Connector["missing"]; label: string; description: string }[] = [
  { value: "keep", label: "Keep them as they are", description: "The file may list only some of your people." },
  {
    value: "deactivate",
    label: "Deactivate them",
    description: "Each file lists everybody. Whoever is back in it is active again.",
  },
];

/** What happens to rows about people whom another source created, as a form says it. */
export const fileAdoptOptions: readonly { value: Connector["adopt"]; label: string; description: string }[] = [
  { value: "externalId", label: "Take over by id", description: "Where the id of the file is their id here." },
  {
    value: "email",
    label: "Take over by id or e-mail address",
    description: "They keep their id here. Rows whose address several people share are rejected.",
  },
  { value: "never", label: "Reject their rows", description: "They stay as they are." },
];

/** Whether a run is queued or running. */
export const isUnderWay = ({ status }: Run) => status === "queued" || status === "running";

/** The status of a connector or run that waits for an approval. */
export const waitsLabel = "Waits for approval";

/** Whether no row of a file could be used, so that it changed nobody. */
export const isAllRejected = ({ status, counts }: Run) =>
  status === "succeeded" && counts.rows > 0 && counts.rejected === counts.rows;

/** The status of a run for the console: its name in the table of status styles, and its label. */
export function statusOf(run: Run): { of: string; label?: string } {
  if (run.undoneBy) return { of: "cancelled", label: "Undone" };
  if (isAllRejected(run)) return { of: "failed", label: "All rejected" };
  if (run.status === "held") return { of: "held", label: waitsLabel };
  return run.status === "succeeded" ? { of: "succeeded", label: "Applied" } : { of: run.status };
}

/** Whether the whole file of a run is held, and not only its deactivations. */
export const waitsWhole = ({ hold }: Run) => hold?.reason === "lost_values";

/** Whether a run ended before anything of its file was applied: it was held as a whole, and cancelled or replaced. */
export const isUnapplied = (run: Run) => run.status === "cancelled" && waitsWhole(run);

/** How many rows of a file were worked on so far. People who are missing from the file are counted too, but have no row. */
export const workedRows = ({ counts: { rows, created, updated, unchanged, deactivated, rejected } }: Run) =>
  Math.min(rows, created + updated + unchanged + deactivated + rejected);

/** How far a run has come in its file, in a few words. */
export function progressOf(run: Run): string {
  if (run.status === "queued") return "Waits for its turn";
  const [worked, { rows }] = [workedRows(run), run.counts];
  if (worked === 0) return "Reads the file";
  return worked < rows ? `${count(worked)} of ${count(rows)} rows done` : "All rows done, finishing";
}

/** Whether a run was cancelled in the middle of its file. */
export const isStoppedMidway = (run: Run) =>
  run.status === "cancelled" && run.trigger !== "undo" && !isUnapplied(run) && workedRows(run) < run.counts.rows;

/** Whether a run ended while its deactivations waited: the rest of the file was applied. */
export const isPartlyApplied = (run: Run) =>
  run.status === "cancelled" && Boolean(run.hold) && !waitsWhole(run) && !isStoppedMidway(run);

/** Where a run ended that did not come to the end of its file. */
export const stoppedAfter = (run: Run) => `Stopped after ${count(workedRows(run))} of ${count(run.counts.rows)} rows`;

/** What a held run would do. Ends of memberships count as removals too. */
const wouldRemove = ({ hold, counts }: Run): string =>
  hold && hold.memberships > 0 ? `Holds ${count(counts.held)} removals` : `Would deactivate ${people(counts.held)}`;

/** What a run did, in a few words; its page has all numbers. */
export function outcomeOf(run: Run): string {
  const { status, identical, counts, errorSummary, trigger } = run;
  if (status === "failed") return errorSummary?.message ?? "";
  if (status === "held") return waitsWhole(run) ? "Would empty a column" : wouldRemove(run);
  const replaced = errorSummary?.code === "superseded" ? "Replaced by a newer file" : "";
  if (isUnapplied(run)) return [replaced, "Nothing was applied"].filter(Boolean).join(". ");
  if (identical) return "The same file as before";
  const parts: [number, string][] =
    trigger === "undo"
      ? [
          [counts.updated, "restored"],
          [counts.deleted, "deleted"],
          [counts.deactivated, "deactivated"],
          [counts.skipped, "skipped"],
        ]
      : [
          [counts.created, "new"],
          [counts.updated, "changed"],
          [counts.deactivated, "deactivated"],
          [counts.rejected, "rejected"],
        ];
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`);
  const changed = told.join(", ") || (status === "succeeded" ? "Nothing has changed" : "");
  const dropped = isPartlyApplied(run) ? "What waited for approval was not applied" : "";
  const stopped = isStoppedMidway(run) ? stoppedAfter(run) : "";
  const said = [changed, dropped, stopped, replaced].filter(Boolean).join(". ");
  if (trigger === "undo") return `Undo${said && ": "}${said}`;
  return run.undoneBy ? `Undone${said && ": "}${said}` : said;
}

const format = new Intl.NumberFormat("en");
export const people = (n: number) => (n === 1 ? "1 person" : `${format.format(n)} people`);
export const count = (n: number) => format.format(n);
