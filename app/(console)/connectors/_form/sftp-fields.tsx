import { Button } from "@heroui/react";
import { PlugZap } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice, type Option } from "@/components/ui/choice";
import { TextInput, TextInputArea } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { count } from "../words";
import { sampleOf } from "./http-draft";
import type { Sample } from "./read-sample";
import { fetchSettingsOf, type HostKey, type SftpDraft } from "./sftp-draft";

const authOptions: readonly Option<SftpDraft["auth"]>[] = [
  { value: "password", label: "Password" },
  { value: "key", label: "Private key", description: "Without a passphrase." },
];

interface Props {
  draft: SftpDraft;
  /** The existing connector, if it has a stored secret. */
  stored: { id: string; settings: Record<string, unknown> } | undefined;
  onChange(change: Partial<SftpDraft>): void;
  onSample(sample: Sample): void;
  /** Called with the error of a test, so that the form shows it at the field; with null when a test begins. */
  onProblem(problem: Problem | null): void;
}

type Told = { tone: "success" | "danger" | "warning"; title: string; text: string };

/** The fields of an SFTP server to fetch from. A test shows the server's key for approval and reads the newest file. */
export function SftpFields({ draft, stored, onChange: onEdit, onSample, onProblem }: Props) {
  const trpc = useTRPC();
  const [told, setTold] = useState<Told | null>(null);
  const [offered, setOffered] = useState<{ key: HostKey; isOther: boolean } | null>(null);
  const test = useAction(trpc.connectors.test.mutationOptions(), {
    keepsData: true,
    onProblem(problem) {
      // A test has these settings under sftp, the form under settings, so rename the pointers of errors.
      const errors = problem.errors?.map((each) => ({
        ...each,
        pointer: each.pointer.replace(/^\/sftp\b/, "/settings"),
      }));
      onProblem({ ...problem, ...(errors && { errors }) });
      return true;
    },
    onDone(found) {
      const isUnapproved = found.error?.code === "host_key_unknown" || found.error?.code === "host_key_changed";
      setOffered(
        isUnapproved && found.hostKey
          ? { key: found.hostKey, isOther: found.error!.code === "host_key_changed" }
          : null,
      );
      if (isUnapproved && found.hostKey) return setTold(null);
      if (!found.ok) return setTold({ tone: "danger", title: "It does not work yet", text: found.error!.message });
      if (found.files.length === 0)
        return setTold({
          tone: "warning",
          title: "The connection works, but no file fits the path",
          text: "Put a sample there, or correct the path. Then test again.",
        });
      setTold({
        tone: "success",
        title: "The connection works",
        text: `${found.files[0]!} was read${found.files.length > 1 ? `, and ${count(found.files.length - 1)} more fit the path` : ""}. Say below where its columns go.`,
      });
      if (found.columns.length > 0) onSample(sampleOf(found));
    },
  });
  // A test result is valid only for the tested settings, so it disappears when a setting changes.
  const onChange = (change: Partial<SftpDraft>) => {
    setTold(null);
    setOffered(null);
    onEdit(change);
  };
  const field = (name: "host" | "port" | "username" | "secret" | "path") => ({
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const run = (hostKey: HostKey | null) => {
    setTold(null);
    onProblem(null);
    test.run({
      sftp: fetchSettingsOf({ ...draft, hostKey }, stored?.settings),
      ...(stored && { connectorId: stored.id }),
      ...(draft.secret && { secret: draft.secret }),
    });
  };
  const approve = (hostKey: HostKey) => {
    onChange({ hostKey });
    run(hostKey);
  };
  const secret = {
    name: "secret",
    isRequired: !stored,
    ...field("secret"),
    description: stored ? "Leave it empty to keep the present one." : "It is stored encrypted and never shown.",
  };
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
        <TextInput
          label="Server"
          name="settings/host"
          isRequired
          mono
          value={draft.host}
          onChange={(host) => onChange({ host, hostKey: null })}
          description="Such as sftp.example.edu."
        />
        <TextInput label="Port" name="settings/port" isRequired inputMode="numeric" {...field("port")} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextInput label="User name" name="settings/username" isRequired {...field("username")} />
        <Choice
          label="Sign-in"
          name="settings/auth"
          value={draft.auth}
          onChange={(auth) => onChange({ auth, secret: "" })}
          options={authOptions}
        />
      </div>
      {draft.auth === "key" ? (
        <TextInputArea label="Private key" rows={4} mono {...secret} />
      ) : (
        <TextInput label="Password" type="password" autoComplete="new-password" {...secret} />
      )}
      <TextInput
        label="Path"
        name="settings/path"
        isRequired
        mono
        {...field("path")}
        description="A folder such as /export/, or files such as /export/people-*.csv. A file that was applied is moved to archive there."
      />
      {draft.hostKey && (
        <p className="text-[0.8125rem]">
          Approved key of the server: <code className="font-mono text-xs break-all">{draft.hostKey.fingerprint}</code>
        </p>
      )}
      <div className="space-y-3">
        <Button variant="outline" isPending={test.isPending} onPress={() => run(draft.hostKey)}>
          <PlugZap aria-hidden="true" /> Test connection
        </Button>
        <div aria-live="polite" className="space-y-3">
          {offered && (
            <Notice
              tone={offered.isOther ? "danger" : "warning"}
              title={offered.isOther ? "The server has another key than before" : "Is this the right server?"}
              action={
                <Button size="sm" variant="outline" onPress={() => approve(offered.key)}>
                  Approve this fingerprint
                </Button>
              }
            >
              {offered.isOther
                ? "Somebody may have put another server in its place. Ask its operator whether the key was changed, and compare:"
                : "Ask the operator of the server for the fingerprint of its key, and compare:"}{" "}
              <code className="font-mono text-xs break-all">{offered.key.fingerprint}</code> ({offered.key.type}).
              Nothing was sent to it yet.
            </Notice>
          )}
          {told && (
            <Notice tone={told.tone} title={told.title}>
              {told.text}
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}
