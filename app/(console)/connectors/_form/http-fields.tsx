import { Button } from "@heroui/react";
import { PlugZap } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice, type Option } from "@/components/ui/choice";
import { TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { count } from "../words";
import { httpSettingsOf, sampleOf, type HttpDraft } from "./http-draft";
import type { Sample } from "./read-sample";

const authOptions: readonly Option<HttpDraft["auth"]>[] = [
  { value: "bearer", label: "Token", description: "Sent as Authorization: Bearer." },
  { value: "basic", label: "User name and password" },
  { value: "header", label: "A header of its own", description: "Such as X-Api-Key." },
  { value: "none", label: "None" },
];
const formatOptions: readonly Option<HttpDraft["format"]>[] = [
  { value: "json", label: "JSON" },
  { value: "csv", label: "CSV file" },
];
const pageOptions: readonly Option<HttpDraft["pages"]>[] = [
  { value: "none", label: "One answer has everybody" },
  { value: "page", label: "Page numbers", description: "?page=1, ?page=2, until one is empty." },
  { value: "cursor", label: "A cursor in the answer" },
  { value: "link", label: "A link to the next page", description: "In the header Link." },
];
const secretLabels = { bearer: "Token", basic: "Password", header: "Value of the header" };

interface Props {
  draft: HttpDraft;
  mode: "full" | "delta";
  /** The existing connector, if it has a stored secret. */
  stored: { id: string; settings: Record<string, unknown> } | undefined;
  onChange(change: Partial<HttpDraft>): void;
  onSample(sample: Sample): void;
  /** Called with the error of a test, so that the form shows it at the field; with null when a test begins. */
  onProblem(problem: Problem | null): void;
}

/** The fields of an http source, with a test that reads its first people. */
export function HttpFields({ draft, mode, stored, onChange, onSample, onProblem }: Props) {
  const trpc = useTRPC();
  const [told, setTold] = useState<{ tone: "success" | "danger"; title: string; text: string } | null>(null);
  const test = useAction(trpc.connectors.test.mutationOptions(), {
    keepsData: true,
    onProblem(problem) {
      onProblem(problem);
      return true;
    },
    onDone(found) {
      if (!found.ok) return setTold({ tone: "danger", title: "It does not work yet", text: found.error!.message });
      setTold({
        tone: "success",
        title: "The connection works",
        text: `The first ${count(found.rows.length)} people were read. Say below where their values go.`,
      });
      onSample(sampleOf(found));
    },
  });
  const field = (name: "url" | "who" | "secret" | "records" | "parameter" | "from" | "since") => ({
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  // A test result is valid only for the tested settings. It disappears when a setting changes or another test begins.
  const asked = JSON.stringify([draft, mode]);
  const [tested, setTested] = useState("");
  const run = () => {
    setTested(asked);
    setTold(null);
    onProblem(null);
    test.run({
      settings: httpSettingsOf(draft, stored?.settings, mode),
      ...(stored && { connectorId: stored.id }),
      ...(draft.secret && { secret: draft.secret }),
    });
  };
  const outcome = tested === asked ? told : null;
  return (
    <>
      <TextInput
        label="Address"
        name="settings/url"
        inputMode="url"
        isRequired
        mono
        {...field("url")}
        description="Such as https://sis.example.edu/api/students."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="Sign-in"
          name="settings/auth"
          value={draft.auth}
          onChange={(auth) => onChange({ auth })}
          options={authOptions}
        />
        <Choice
          label="What it answers"
          name="settings/format"
          value={draft.format}
          onChange={(format) => onChange({ format })}
          options={formatOptions}
        />
        {(draft.auth === "basic" || draft.auth === "header") && (
          <TextInput
            label={draft.auth === "basic" ? "User name" : "Name of the header"}
            name={draft.auth === "basic" ? "settings/auth/username" : "settings/auth/name"}
            isRequired
            {...field("who")}
          />
        )}
        {draft.auth !== "none" && (
          <TextInput
            label={secretLabels[draft.auth]}
            name="secret"
            type="password"
            autoComplete="new-password"
            isRequired={!stored}
            {...field("secret")}
            description={stored ? "Leave it empty to keep the present one." : "It is stored encrypted and never shown."}
          />
        )}
      </div>
      {draft.format === "json" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput
            label="Where the list is"
            name="settings/records"
            mono
            {...field("records")}
            description="Such as data.people. Empty where the answer is the list."
          />
          <Choice
            label="Pages"
            name="settings/pagination"
            value={draft.pages}
            onChange={(pages) => onChange({ pages })}
            options={pageOptions}
          />
          {(draft.pages === "page" || draft.pages === "cursor") && (
            <TextInput
              label="Parameter of the address"
              name="settings/pagination/parameter"
              mono
              placeholder={draft.pages}
              {...field("parameter")}
            />
          )}
          {draft.pages === "cursor" && (
            <TextInput
              label="Where the cursor is"
              name="settings/pagination/from"
              mono
              isRequired
              {...field("from")}
              description="Such as meta.next."
            />
          )}
        </div>
      )}
      {mode === "delta" && (
        <TextInput
          label="Parameter for changes since"
          name="settings/since"
          mono
          {...field("since")}
          description="It gets the time of the last run. Empty: everything is asked for each time."
        />
      )}
      <div className="space-y-3">
        <Button variant="outline" isPending={test.isPending} onPress={run}>
          <PlugZap aria-hidden="true" /> Test connection
        </Button>
        <div aria-live="polite">
          {outcome && (
            <Notice tone={outcome.tone} title={outcome.title}>
              {outcome.text}
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}
