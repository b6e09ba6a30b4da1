"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import { missingFields } from "@/components/missing-fields";
import type { Problem } from "@/components/problem";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, TextInput, TextInputArea } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { useSession } from "../../_shell/session";
import type { ReadAttribute } from "@/server/connectors/read-attributes";
import { FileInput } from "../file-input";
import { packFile, UnfitFile } from "../pack-file";
import { fileAdoptOptions, missingOptions, modeOptions, priorityHelp, usualPriority, type Connector } from "../words";
import { emptyDraft, type Draft } from "./draft";
import { draftWith, suggestedAgain } from "./draft-with";
import { emptyHttp, httpDraftOf, httpSettingsOf, scheduleOf } from "./http-draft";
import { HttpFields } from "./http-fields";
import { MappingFields } from "./mapping-fields";
import { ChangedId } from "./changed-id";
import { decidedMappingOf, draftOf, mappingOf } from "./mapping-of";
import { Preview } from "./preview";
import { readSample, UnknownEncoding, type Sample } from "./read-sample";
import { emptySftp, fetchSettingsOf, receiveSettingsOf, sftpDraftOf } from "./sftp-draft";
import { SftpFields } from "./sftp-fields";
import { Unfilled } from "./unfilled";
import { WhichEncoding } from "./which-encoding";

interface Props {
  /** The connector to change. Without it, the form creates a new one. */
  connector?: Connector & { etag: string };
  onDone(connector: { id: string }): void;
  onReload?(): void;
}

const settings = { deactivations: "10", deactivationPercent: "10" };

/** Used until the attributes that cards and rules read are loaded. */
const unread: ReadAttribute[] = [];

/**
 * Creates or changes a connector for files or for a source that is fetched. The columns come from a sample file, or from a
 * test of the source; a plain CSV sample is read in the browser, other formats by the server, which stores nothing. The
 * form suggests a mapping by name and type, and previews the first people.
 */
export function ConnectorForm({ connector, onDone, onReload = () => {} }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { can } = useSession();
  const [name, setName] = useState(connector?.name ?? "");
  const [mode, setMode] = useState<Connector["mode"]>(connector?.mode ?? "full");
  const [adopt, setAdopt] = useState<Connector["adopt"]>(connector?.adopt ?? "externalId");
  const [priority, setPriority] = useState(String(connector?.priority ?? usualPriority));
  const [missing, setMissing] = useState<Connector["missing"]>(connector?.missing ?? "keep");
  const [limits, setLimits] = useState(connector ? limitsOf(connector) : settings);
  const [draft, setDraft] = useState<Draft>(connector ? draftOf(connector.mapping) : emptyDraft);
  const [from, setFrom] = useState<From>(connector ? fromOf(connector) : "csv");
  const [http, setHttp] = useState(connector?.type === "http" ? httpDraftOf(connector) : emptyHttp);
  const [sftp, setSftp] = useState(connector?.type === "sftp" ? sftpDraftOf(connector) : emptySftp);
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  /** A sample that is not Unicode, until the administrator has chosen its encoding. */
  const [asked, setAsked] = useState<{ file: File; lines: UnknownEncoding["lines"] } | null>(null);
  const [encoding, setEncoding] = useState<Encoding>(
    (connector?.settings["encoding"] as Encoding | undefined) ?? "auto",
  );
  const [sample, setSample] = useState<Sample | null>(null);
  const attributes = useQuery(trpc.connectors.attributes.queryOptions({}, { enabled: can("templates:read") }));
  const known = attributes.data?.data;
  const read = known ?? unread;
  /** The attributes that were loaded when the columns were suggested. A sample may be chosen before they are loaded. */
  const suggestedBy = useRef<ReadAttribute[] | null>(null);
  const create = useAction(trpc.connectors.create.mutationOptions(), { done: "Connector created", onDone });
  const update = useAction(trpc.connectors.update.mutationOptions(), { done: "Saved", onDone });
  const action = connector ? update : create;

  const show = (found: Sample) => {
    setSample(found);
    suggestedBy.current = read;
    if (found.encoding) setEncoding(found.encoding);
    setDraft((now) => withSample(now, found));
  };
  const choose = async (chosen: File, isWestern = false) => {
    setAsked(null);
    try {
      const ask = async (each: File) => client.connectors.sample.mutate({ file: await packFile(each) });
      show(await readSample(chosen, ask, isWestern));
      setFile(chosen);
      setUnfit(null);
    } catch (error) {
      if (error instanceof UnknownEncoding) {
        setUnfit(null);
        return setAsked({ file: chosen, lines: error.lines });
      }
      if (!(error instanceof UnfitFile)) throw error;
      setUnfit(error.message);
    }
  };
  const withSample = (now: Draft, found: Sample) => draftWith(now, found, { read, isNew: !connector });

  useEffect(() => {
    if (!known || !sample || connector || suggestedBy.current !== unread) return;
    suggestedBy.current = known;
    setDraft((now) => suggestedAgain(now, sample, { before: unread, read: known }));
  }, [known, sample, connector]);

  const { mapping, todo } = mappingOf(draft);
  const decided = decidedMappingOf(draft);
  const settingsOf: Record<From, () => Record<string, unknown>> = {
    csv: () => ({ ...connector?.settings, encoding }),
    http: () => httpSettingsOf(http, connector?.settings, mode),
    fetch: () => fetchSettingsOf(sftp, { ...connector?.settings, encoding }),
    receive: () => receiveSettingsOf(sftp, { ...connector?.settings, encoding }),
  };
  const cron = from === "http" ? http.cron : from === "fetch" ? sftp.cron : null;
  const setCron = (next: string) =>
    from === "http" ? setHttp((now) => ({ ...now, cron: next })) : setSftp((now) => ({ ...now, cron: next }));
  const entered = mapping && {
    name,
    mapping,
    mode,
    missing,
    adopt,
    priority: Number(priority),
    limits: { deactivations: Number(limits.deactivations), deactivationPercent: Number(limits.deactivationPercent) },
    settings: settingsOf[from](),
    schedule: cron === null ? null : scheduleOf(cron, connector),
  };
  const { ifMatch, conflict, changes } = useBasis({
    record: connector,
    shown: (each) => ({
      name: each.name,
      mapping: each.mapping,
      mode: each.mode,
      missing: each.missing,
      adopt: each.adopt,
      priority: each.priority,
      limits: each.limits,
      settings: each.settings,
      schedule: each.schedule,
    }),
    entered,
    onMerge(merged) {
      setName(merged.name);
      setMode(merged.mode);
      setMissing(merged.missing);
      setAdopt(merged.adopt);
      setPriority(String(merged.priority));
      setLimits(limitsOf(merged));
      const source = { ...merged, schedule: merged.schedule as Connector["schedule"] };
      if (from === "http") setHttp(httpDraftOf(source));
      if (connector?.type === "sftp") setSftp(sftpDraftOf(source));
      setEncoding((merged.settings["encoding"] as Encoding | undefined) ?? "auto");
      setDraft(sample ? withSample(draftOf(merged.mapping), sample) : draftOf(merged.mapping));
    },
    labels: {
      name: "Name",
      mapping: "Columns",
      mode: "A file lists",
      missing: "Who is missing from a file",
      adopt: "People who are here already",
      priority: "Priority",
      limits: "Limit",
      settings: "Settings",
      schedule: "Schedule",
    },
    action: update,
    reload: onReload,
  });
  const secretOf = () => {
    if (from === "fetch") return sftp.secret || undefined;
    return from === "http" && http.auth !== "none" ? http.secret || undefined : null;
  };
  /** Why the form was not submitted, or the error of a test of the source. */
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const submit = () => {
    const missing = missingFields({
      name,
      ...(from === "http" && { "settings/url": http.url }),
      ...(from === "fetch" && {
        "settings/host": sftp.host,
        "settings/username": sftp.username,
        "settings/path": sftp.path,
      }),
    });
    setRefusal(missing ?? (entered ? null : unmapped(draft.columns.length > 0 ? todo : lacksSample[from])));
    if (missing || !entered) return;
    const secret = secretOf();
    const isChanged = secret !== undefined && (secret !== null || connector?.secretSetAt);
    if (connector) update.run({ id: connector.id, ifMatch, ...changes(entered), ...(isChanged && { secret }) });
    else create.run({ type: typeOf[from], ...entered, ...(secret && { secret }) });
  };
  return (
    <ProblemForm
      problem={refusal ?? action.problem}
      isPending={action.isPending || action.isDone}
      entered={{ name, mode, missing, adopt, priority, limits, draft, from, http, sftp }}
      onSubmit={submit}
      conflict={conflict}
      className="max-w-3xl space-y-5"
    >
      <Panel>
        <div className="space-y-4">
          <TextInput
            label="Name"
            name="name"
            value={name}
            onChange={setName}
            isRequired
            description="Such as Student registry."
          />
          {!connector && (
            <Choice
              label="People come from"
              value={from}
              onChange={(next: From) => {
                setFrom(next);
                setSample(null);
                setDraft(emptyDraft);
              }}
              options={fromOptions}
            />
          )}
          {from === "fetch" && (
            <SftpFields
              draft={sftp}
              stored={connector?.secretSetAt ? connector : undefined}
              onChange={(change) => setSftp((now) => ({ ...now, ...change }))}
              onSample={show}
              onProblem={setRefusal}
            />
          )}
          {from === "receive" && (
            <TextInputArea
              label="Public keys of the sender"
              name="settings/publicKeys"
              value={sftp.publicKeys}
              onChange={(publicKeys) => setSftp((now) => ({ ...now, publicKeys }))}
              rows={3}
              mono
              description="One on each line, as in a file id_ed25519.pub. Empty: the sender signs in with a password, which you make afterwards."
            />
          )}
          {from === "http" && (
            <HttpFields
              draft={http}
              mode={mode}
              stored={connector?.secretSetAt ? connector : undefined}
              onChange={(change) => setHttp((now) => ({ ...now, ...change }))}
              onSample={show}
              onProblem={setRefusal}
            />
          )}
          {(from === "csv" || from === "receive") && (
            <FileInput
              label="Choose a sample file"
              file={file}
              onChoose={(chosen) => void choose(chosen)}
              problem={unfit}
            />
          )}
          {asked && <WhichEncoding lines={asked.lines} onWestern={() => void choose(asked.file, true)} />}
          {from !== "http" && (
            <Choice
              label="Encoding of the files"
              value={encoding}
              onChange={(next: Encoding) => setEncoding(next)}
              options={encodingOptions}
              className="max-w-sm"
            />
          )}
          {connector && !sample && (
            <p className="text-xs text-muted">With a sample you see a preview, and the columns that are new.</p>
          )}
        </div>
      </Panel>
      {draft.columns.length > 0 && (
        <MappingFields
          draft={draft}
          sample={sample}
          onChange={(next) => {
            setDraft(next);
            setRefusal(null);
          }}
        />
      )}
      {mapping && connector && <ChangedId before={connector.mapping} after={mapping} />}
      {mapping && <Unfilled mapping={mapping} read={read} />}
      {decided && sample && <Preview mapping={decided} sample={sample} />}
      <Panel>
        <div className="space-y-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Choice
              label="A file lists"
              name="mode"
              value={mode}
              onChange={(next: Connector["mode"]) => setMode(next)}
              options={modeOptions}
            />
            {mode === "full" && (
              <Choice
                label="Who is missing from a file"
                name="missing"
                value={missing}
                onChange={(next: Connector["missing"]) => setMissing(next)}
                options={missingOptions}
              />
            )}
            <Choice
              label="People who are here already"
              name="adopt"
              value={adopt}
              onChange={(next: Connector["adopt"]) => setAdopt(next)}
              options={fileAdoptOptions}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextInput
              label="Deactivations in 24 hours that need no approval"
              name="limits/deactivations"
              value={limits.deactivations}
              onChange={(deactivations) => setLimits((now) => ({ ...now, deactivations }))}
              inputMode="numeric"
              isRequired
            />
            <TextInput
              label="Or percent of its active people, where that is more"
              name="limits/deactivationPercent"
              value={limits.deactivationPercent}
              onChange={(deactivationPercent) => setLimits((now) => ({ ...now, deactivationPercent }))}
              inputMode="numeric"
              isRequired
            />
          </div>
          <p className="text-xs text-muted">
            A file that would deactivate more people waits for an approval. Only people who may give one can raise these
            numbers.
          </p>
          <TextInput
            label="Priority"
            name="priority"
            value={priority}
            onChange={setPriority}
            inputMode="numeric"
            isRequired
            description={priorityHelp}
          />
          {cron !== null && (
            <TextInput
              label="Schedule"
              name="schedule/cron"
              value={cron}
              onChange={setCron}
              mono
              description={`A cron: 0 4 * * * is every day at 04:00${connector?.schedule ? ` in ${connector.schedule.timeZone}` : ""}. Empty: only when you run it.`}
            />
          )}
        </div>
      </Panel>
      <div className="flex flex-wrap items-center gap-3">
        {connector && (
          <ButtonLink variant="outline" href={`/connectors/${connector.id}`}>
            Cancel
          </ButtonLink>
        )}
        <Button type="submit" isPending={action.isPending}>
          {connector ? "Save" : "Create connector"}
        </Button>
        {draft.columns.length > 0 && todo && <p className="text-[0.8125rem] text-muted">{todo}</p>}
      </div>
    </ProblemForm>
  );
}

type Encoding = "auto" | "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const encodingOptions = [
  { value: "auto", label: "Unicode", description: "UTF-8, or UTF-16 that says so." },
  { value: "windows-1252", label: "Western European (Windows-1252)", description: "What Excel writes as plain CSV." },
  { value: "utf-8", label: "UTF-8 alone" },
  { value: "utf-16le", label: "UTF-16, little endian" },
  { value: "utf-16be", label: "UTF-16, big endian" },
] as const;

/** The error if no sample has been read, so that there are no columns to map. */
function unmapped(detail: string | null): Problem {
  return { status: 400, code: "invalid_request", title: "The mapping is not complete", detail: detail ?? "" };
}

const lacksSample: Record<From, string> = {
  csv: "Choose a sample file, so that its columns can be mapped.",
  receive: "Choose a sample file, so that its columns can be mapped.",
  http: "Test the connection: it shows the values that can be mapped.",
  fetch: "Test the connection: it shows the columns of the newest file, which can be mapped.",
};

/** The choices of the form for where people come from. The connector type sftp has two: fetch and receive. */
type From = "csv" | "http" | "fetch" | "receive";

const typeOf = { csv: "csv", http: "http", fetch: "sftp", receive: "sftp" } as const;

const fromOf = ({ type, settings }: Connector): From =>
  type === "sftp" ? (settings["direction"] as "fetch" | "receive") : type === "http" ? "http" : "csv";

const fromOptions = [
  { value: "csv", label: "Files", description: "Somebody uploads them, here or by API." },
  { value: "http", label: "An address", description: "It is asked by schedule, and answers with JSON or CSV." },
  { value: "fetch", label: "SFTP: we fetch", description: "Your server has the files; we take them by schedule." },
  { value: "receive", label: "SFTP: you send", description: "Your system brings the files to our server." },
] as const;

const limitsOf = ({ limits }: Pick<Connector, "limits">) => ({
  deactivations: String(limits.deactivations),
  deactivationPercent: String(limits.deactivationPercent),
});
