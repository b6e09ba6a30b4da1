import type { RouterInputs } from "@/server/trpc/root";
import type { Connector } from "../words";
import { sampleFrom, type Sample } from "./read-sample";

/** The settings of a connector of type http in the API. */
type Settings = NonNullable<RouterInputs["connectors"]["test"]["settings"]>;
type Of<T> = T extends { type: infer V } ? V : never;

/** The settings of a source in the state of the form. */
export interface HttpDraft {
  url: string;
  auth: Of<NonNullable<Settings["auth"]>>;
  /** The user name, or the name of the header. */
  who: string;
  secret: string;
  format: NonNullable<Settings["format"]>;
  records: string;
  pages: Of<NonNullable<Settings["pagination"]>>;
  parameter: string;
  from: string;
  since: string;
  cron: string;
}

export const emptyHttp: HttpDraft = {
  url: "",
  auth: "bearer",
  who: "",
  secret: "",
  format: "json",
  records: "",
  pages: "none",
  parameter: "",
  from: "",
  since: "",
  cron: "0 4 * * *",
};

export function httpDraftOf({ settings, schedule }: Pick<Connector, "settings" | "schedule">): HttpDraft {
  const { url, auth, format, records, pagination, since } = settings as unknown as Settings;
  return {
    ...emptyHttp,
    url,
    auth: auth?.type ?? "none",
    who: auth?.type === "basic" ? auth.username : auth?.type === "header" ? auth.name : "",
    format: format ?? "json",
    records: records ?? "",
    pages: pagination?.type ?? "none",
    parameter: pagination && "parameter" in pagination ? (pagination.parameter ?? "") : "",
    from: pagination?.type === "cursor" ? pagination.from : "",
    since: since?.parameter ?? "",
    cron: schedule?.cron ?? "",
  };
}

/** Converts the form to settings. Keeps stored settings for which the form has no field. */
export function httpSettingsOf(draft: HttpDraft, before: Record<string, unknown> = {}, mode = "full"): Settings {
  const { url, who, format, records, since } = draft;
  const { since: _, ...kept } = before as Partial<Settings>;
  const isJson = format === "json";
  return {
    ...kept,
    url: url.trim(),
    auth:
      draft.auth === "basic"
        ? { type: "basic", username: who }
        : draft.auth === "header"
          ? { type: "header", name: who }
          : { type: draft.auth },
    format,
    records: isJson ? records.trim() : "",
    pagination: isJson ? pagesOf(draft, kept.pagination) : { type: "none" },
    ...(since.trim() && mode === "delta" && { since: { parameter: since.trim() } }),
  };
}

function pagesOf({ pages, parameter, from }: HttpDraft, before: Settings["pagination"]): Settings["pagination"] {
  const named = parameter.trim() && { parameter: parameter.trim() };
  if (pages === "page") return { ...(before?.type === "page" && before), type: "page", ...named };
  if (pages === "cursor") return { type: "cursor", ...named, from: from.trim() };
  return { type: pages };
}

/** A schedule keeps its time zone; a new one has that of the organisation. */
export function scheduleOf(cron: string, connector: Pick<Connector, "schedule"> | undefined) {
  if (!cron.trim()) return null;
  const timeZone = connector?.schedule?.timeZone;
  return { cron: cron.trim(), ...(timeZone && { timeZone }) };
}

/** Converts the first people of a source to a sample, for the mapping and its preview. */
export function sampleOf({ columns, rows }: { columns: string[]; rows: string[][] }): Sample {
  return sampleFrom(
    columns,
    rows.map((cells, i) => ({ line: i + 2, cells })),
    null,
  );
}
