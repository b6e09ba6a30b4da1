"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { ProblemForm } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { builtInTexts } from "@/server/message-texts/default-texts";
import type { AutomaticKind } from "@/server/message-texts/kinds";
import type { RouterOutputs } from "@/server/trpc/root";
import { enteredOf, inputOf, type EnteredDefaults } from "../../_messages/entered";
import { kindToCorrect } from "../../_messages/kind-to-correct";
import { SaveBar } from "../../_messages/save-bar";
import { SenderFields } from "../../_messages/sender-fields";
import { TextFields } from "../../_messages/text-fields";
import { useSession } from "../../_shell/session";
import { SettingsTabs } from "../settings-tabs";

type Organisation = RouterOutputs["organisation"]["get"];

/** The organisation's settings for e-mails to holders, which apply unless a template overrides them. */
export function MessageSettings() {
  const trpc = useTRPC();
  const query = useQuery(trpc.organisation.get.queryOptions({}));
  return (
    <>
      <PageHeader
        title="Settings"
        description="Sender and texts of e-mails to holders, for templates without their own. Each template chooses which messages are sent."
      />
      <SettingsTabs />
      <div className="max-w-3xl">
        {query.data ? (
          <Reloadable>{(reload) => <DefaultsForm organisation={query.data} onReload={reload} />}</Reloadable>
        ) : (
          <Panel>
            {query.error ? (
              <Failure error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <SkeletonLines lines={6} />
            )}
          </Panel>
        )}
      </div>
    </>
  );
}

const shown = ({ messages }: Pick<Organisation, "messages">) => enteredOf(messages);

function DefaultsForm({ organisation, onReload }: { organisation: Organisation; onReload(): void }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const isReadOnly = !can("settings:write");
  const [entered, setEntered] = useState(() => shown(organisation));
  const [kind, setKind] = useState<AutomaticKind>("issued");
  const action = useAction(trpc.organisation.update.mutationOptions(), {
    done: "Saved",
    onProblem(problem) {
      setKind((shownKind) => kindToCorrect(problem, shownKind));
      return false;
    },
  });
  const { ifMatch, conflict, changes } = useBasis<Pick<Organisation, "messages" | "etag">, EnteredDefaults>({
    record: organisation,
    shown,
    entered,
    onMerge: setEntered,
    labels: { senderName: "Sender's name", replyTo: "Replies go to", texts: "Texts" },
    action,
    reload: onReload,
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={entered}
      onSubmit={() => action.run({ messages: inputOf(changes(entered)), ifMatch })}
      conflict={conflict}
      className="space-y-5!"
    >
      <Panel title="Sender">
        <SenderFields
          value={entered}
          onChange={setEntered}
          fallback={{ senderName: organisation.name, replyTo: "" }}
          isReadOnly={isReadOnly}
        />
      </Panel>
      <Panel
        title="Texts"
        description="A template with a text of its own keeps it. Texts that nobody changed are in the language of the organisation’s region if that is English or German, else in English."
      >
        <TextFields
          kind={kind}
          onKind={setKind}
          texts={entered.texts}
          onChange={(texts) => setEntered({ ...entered, texts })}
          fallback={(each) => builtInTexts(organisation.locale).texts[each]}
          isReadOnly={isReadOnly}
        />
      </Panel>
      {isReadOnly ? (
        <p className="text-xs text-muted">Admins and owners can change it.</p>
      ) : (
        <SaveBar isPending={action.isPending} />
      )}
    </ProblemForm>
  );
}
