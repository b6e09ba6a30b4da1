"use client";
import { Button, Skeleton } from "@heroui/react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Tick } from "@/components/ui/confirm";
import { DateInput } from "@/components/ui/date-input";
import { DialogActions } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useRegion } from "@/components/ui/region";
import type { SubjectView } from "@/server/subjects/view";
import { showsPhoto } from "@/server/templates/design";
import { hiddenParts } from "@/server/templates/hidden-from-files";
import { expiryOf } from "@/server/templates/validity";
import type { RouterOutputs } from "@/server/trpc/root";
import { dayOf, endOfDay, endsWithDay, formatExactUntil, startOfDay, type Region } from "@/server/core/dates";
import { useStated } from "../achievements/use-stated";
import { SubjectPicker } from "../subjects/subject-picker";
import { usePhoto } from "../subjects/use-photo";
import { SampleCard } from "../templates/editor/sample-card";
import { NoFiles } from "../templates/no-files";
import { TemplatePicker, type PickedTemplate } from "../templates/template-picker";
import { dataOf, entriesOf, wrongNumbers } from "./entries";
import { EntryFields } from "./entry-fields";
import { writtenEvidence, type EnteredEvidence } from "./evidence";
import { EvidenceRows } from "./evidence-rows";

interface Props {
  subject: SubjectView | undefined;
  /** Called with the path to open: the new credential, or the list of names to confirm. */
  onDone(href: string): void;
}

/** The form for issuing a credential: its person, template and values, with a preview of the card. */
export function IssueForm({ subject, onDone }: Props) {
  const trpc = useTRPC();
  const { timeZone, locale } = useRegion();
  const [picked, setPicked] = useState(subject ?? null);
  const [template, setTemplate] = useState<PickedTemplate | null>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [rows, setRows] = useState<EnteredEvidence[]>([]);
  const [firstDay, setFirstDay] = useState("");
  const [lastDay, setLastDay] = useState("");
  const [replace, setReplace] = useState(false);
  const published = useQuery(trpc.templates.list.queryOptions({ status: "published", limit: 1 }));
  const detail = useQuery(trpc.templates.get.queryOptions(template ? { id: template.id } : skipToken));
  const action = useAction(trpc.credentials.issue.mutationOptions(), {
    done: (made) =>
      "credential" in made ? "Credential issued" : "Asked to confirm the name. Nothing is issued before.",
    onDone: (made) => onDone("credential" in made ? `/credentials/${made.credential.id}` : "/credentials/names"),
  });
  const version = detail.data?.id === template?.id ? detail.data?.version : undefined;
  const { results, credits } = useStated(version?.achievementId);
  const issuer = useQuery(trpc.issuer.get.queryOptions({}, { enabled: template?.kind === "academic" }));
  const entries = version ? entriesOf(version.design, results, credits) : [];
  const evidence = template?.kind === "academic" ? writtenEvidence(rows) : [];
  const [now] = useState(() => new Date());
  const data = {
    // A day and not an instant, because the instant at which a day begins here falls within another day in other time
    // zones (decision 535).
    ...(template?.kind === "academic" && { awardedDate: firstDay || dayOf(now, timeZone) }),
    ...dataOf(entries, typed, locale),
    ...(evidence.length > 0 && { evidence }),
  };
  const validFrom = firstDay ? startOfDay(firstDay, timeZone) : now;
  /** The template takes the last day from the person's record, but neither the record nor the form has one. */
  const lacksLastDay =
    picked && version ? expiryOf(version.validity, validFrom, picked.attributes, timeZone, data) === undefined : false;
  const [unreadable, setUnreadable] = useState<Problem | null>(null);
  const submit = () => {
    const errors = wrongNumbers(entries, typed, locale);
    setUnreadable(
      errors.length > 0
        ? { status: 400, code: "invalid_request", title: "Not every number can be read", detail: "", errors }
        : null,
    );
    if (errors.length > 0 || !picked || !template || !version) return;
    action.run({
      subject: { id: picked.id },
      templateId: template.id,
      ...(firstDay && { validFrom: validFrom.toISOString() }),
      ...(Object.keys(data).length > 0 && { data }),
      ...(expiresAt && { expiresAt }),
      ...(replace && { ifExists: "replace" as const }),
    });
  };
  const held = action.problem?.code === "credential_exists" ? action.problem.members?.["credentialId"] : undefined;
  const expiresAt = lastDay && endOfDay(lastDay, timeZone).toISOString();
  const change =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      set(value);
      // Another person or template may have other values.
      setReplace(false);
      action.reset();
    };

  if (published.data?.data.length === 0) return <NoTemplate />;
  return (
    <ProblemForm
      problem={unreadable ?? (held ? null : atLastDay(action.problem))}
      isPending={action.isPending}
      entered={{ subject: picked?.id, template: template?.id, typed, rows, firstDay, lastDay }}
      onSubmit={submit}
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="min-w-0 space-y-4">
          {!subject && <SubjectPicker isRequired value={picked} onChange={change(setPicked)} />}
          <TemplatePicker value={template} onChange={change(setTemplate)} />
          {detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
          {template?.kind === "academic" && picked?.displayName === "" && detail.data?.confirmName === false && (
            <Notice tone="warning" title="This person has no name">
              <p>
                The certificate would be made out to “the holder of this credential”, and a name that is entered later
                never gets onto it.{" "}
                <Link href={`/subjects/${picked.id}`} target="_blank" className="font-medium underline">
                  Enter the name
                </Link>{" "}
                before you issue it.
              </p>
            </Notice>
          )}
          <EntryFields
            entries={entries}
            typed={typed}
            onType={(name, text) => setTyped((now) => ({ ...now, [name]: text }))}
            attributes={picked?.attributes ?? {}}
          />
          {template?.kind === "academic" && version && <EvidenceRows rows={rows} onChange={setRows} />}
          {template?.kind === "academic" && version && issuer.data && (
            <NoFiles
              hidden={hiddenParts(version.design, issuer.data.recipientIdentity, results, data)}
              results={results}
              templateId={template.id}
            />
          )}
          {template?.kind === "academic" && (
            <DateInput
              label="Awarded on"
              name="validFrom"
              value={firstDay}
              onChange={setFirstDay}
              description="The day of the award, which the credential states. Today unless you choose another. Ahead: it is not valid before."
            />
          )}
          <DateInput
            label="Valid through"
            name="expiresAt"
            value={lastDay}
            onChange={setLastDay}
            isRequired={lacksLastDay}
            description={
              lacksLastDay
                ? "The template takes this day from the person's record, which holds none. Choose it here."
                : "Leave it empty to let the template's validity decide."
            }
          />
        </div>
        <Preview
          template={template}
          version={version}
          subject={picked}
          data={data}
          expiresAt={expiresAt || null}
          now={now}
          validFrom={validFrom}
        />
      </div>
      {typeof held === "string" && (
        <Notice tone="warning" title="They hold this credential already">
          <p>
            One is live:{" "}
            <Link href={`/credentials/${held}`} target="_blank" className="font-medium underline">
              open it
            </Link>
            . Replacing revokes it as superseded, in the same step.
          </p>
          <Tick isSelected={replace} onChange={setReplace} className="mt-2">
            Replace the one they hold
          </Tick>
        </Notice>
      )}
      <DialogActions>
        <CancelButton />
        <Button
          type="submit"
          isPending={action.isPending}
          isDisabled={!picked || !version || (held !== undefined && !replace)}
        >
          {replace ? "Replace and issue" : "Issue credential"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

interface PreviewProps {
  template: PickedTemplate | null;
  version: RouterOutputs["templates"]["get"]["version"] | undefined;
  subject: SubjectView | null;
  data: Record<string, unknown>;
  /** The last day that was chosen in the form; null if the template decides. */
  expiresAt: string | null;
  now: Date;
  /** The beginning of its validity. */
  validFrom: Date;
}

/** A preview of the card and of its validity. */
function Preview({ template, version, subject, data, expiresAt, now, validFrom }: PreviewProps) {
  const region = useRegion();
  const photo = usePhoto(subject && version && showsPhoto(version.design, subject) ? subject : undefined);
  if (!template || !version) {
    return (
      <div className="rounded-2xl border bg-surface-secondary p-5 max-lg:hidden">
        {template ? (
          <Skeleton className="aspect-[1.586] w-full rounded-2xl" />
        ) : (
          <p className="grid aspect-[1.586] place-items-center text-center text-[0.8125rem] text-muted">
            The credential appears here once a template is chosen.
          </p>
        )}
      </div>
    );
  }
  const attributes = subject?.attributes ?? {};
  const end = expiresAt
    ? new Date(expiresAt)
    : expiryOf(version.validity, validFrom, attributes, region.timeZone, data);
  const from = validFrom.toISOString();
  const source = {
    subject: subject ?? { displayName: "" },
    attributes,
    credential: {
      code: "XXXX-XXXX-XXXX-XXXX",
      kind: template.kind,
      state: "active",
      validFrom: from,
      issuedAt: from,
      expiresAt: end?.toISOString() ?? null,
      data,
    },
  };
  return (
    <section aria-label="Preview" className="self-start rounded-2xl border bg-surface-secondary p-5 lg:sticky lg:top-5">
      <SampleCard kind={template.kind} title={template.name} {...version} source={source} photo={photo} />
      <p className="mt-4 text-center text-[0.8125rem] font-medium" aria-live="polite">
        {end === undefined && subject ? "Cannot be issued yet" : validityText(end, now, region)}
      </p>
      {end === undefined && subject && (
        <p className="mt-1 text-center text-xs text-pretty text-muted">
          The person's record holds no last day. Choose it under “Valid through”.
        </p>
      )}
    </section>
  );
}

/** The refusal for want of a last day, at the field where it can be chosen. */
function atLastDay(problem: Problem | null): Problem | null {
  if (problem?.code !== "validity_unresolved" && problem?.code !== "expiry_out_of_range") return problem;
  const message = "By the template it would have ended already, or has no last day. Choose one that lies ahead";
  return { ...problem, title: "It has no last day", errors: [{ pointer: "/expiresAt", code: "past", message }] };
}

function validityText(end: Date | null | undefined, now: Date, region: Region): string {
  if (end === undefined) return "Valid through the day in the person's record";
  if (end === null) return "Valid without an end";
  if (end <= now) return `Ended ${formatExactUntil(end, region)}`;
  return `Valid ${endsWithDay(end, region.timeZone) ? "through" : "until"} ${formatExactUntil(end, region)}`;
}

function NoTemplate() {
  return (
    <div className="space-y-4">
      <p className="text-[0.8125rem] text-muted">
        A credential is made from a template, which says how it looks and how long it is valid. None is published yet.
      </p>
      <DialogActions>
        <ButtonLink href="/templates">Go to templates</ButtonLink>
      </DialogActions>
    </div>
  );
}
