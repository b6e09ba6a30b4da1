"use client";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { builtInTexts } from "@/server/message-texts/default-texts";
import type { AutomaticKind } from "@/server/message-texts/kinds";
import type { RouterOutputs } from "@/server/trpc/root";
import { enteredOf, inputOf, type EnteredMessages } from "../../../_messages/entered";
import { kindToCorrect } from "../../../_messages/kind-to-correct";
import { SaveBar } from "../../../_messages/save-bar";
import { SenderFields } from "../../../_messages/sender-fields";
import { TextFields } from "../../../_messages/text-fields";
import { useSession } from "../../../_shell/session";
import { AutomaticFields } from "./automatic-fields";
import { MessagePreview } from "./message-preview";

type Template = RouterOutputs["templates"]["get"];

const shown = ({ messages }: Pick<Template, "messages">): EnteredMessages => ({
  ...enteredOf(messages),
  automatic: messages.automatic,
  expiringDays: messages.expiringDays,
});

export function MessagesForm({
  template,
  defaults,
  onReload,
}: {
  template: Template;
  defaults: RouterOutputs["messages"]["defaults"];
  onReload(): void;
}) {
  const trpc = useTRPC();
  const { can, current } = useSession();
  const isReadOnly = !can("templates:write");
  const [entered, setEntered] = useState(() => shown(template));
  const [kind, setKind] = useState<AutomaticKind>("issued");
  const action = useAction(trpc.templates.update.mutationOptions(), {
    done: "Saved",
    onProblem(problem) {
      setKind((shownKind) => kindToCorrect(problem, shownKind));
      return false;
    },
  });
  const { ifMatch, conflict, changes } = useBasis<Pick<Template, "messages" | "etag">, EnteredMessages>({
    record: template,
    shown,
    entered,
    onMerge: setEntered,
    labels: {
      automatic: "Messages",
      expiringDays: "Days before the expiry",
      senderName: "Sender's name",
      replyTo: "Replies go to",
      texts: "Texts",
    },
    action,
    reload: onReload,
  });
  const save = () => {
    const { automatic, expiringDays, ...rest } = changes(entered);
    action.run({
      id: template.id,
      ifMatch,
      messages: {
        ...inputOf(rest),
        ...(automatic && { automatic }),
        ...(expiringDays !== undefined && { expiringDays }),
      },
    });
  };
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={entered}
        onSubmit={save}
        conflict={conflict}
        className="min-w-0 space-y-5!"
      >
        {!defaults.hasMailServer && (
          <Notice tone="warning" title="This service has no mail server">
            Messages wait under Messages for seven days, where the link of each can be copied. The operator sets up a
            mail server.
          </Notice>
        )}
        <Panel title="Sent automatically" description="Only the messages that you tick are sent.">
          <AutomaticFields value={entered} onChange={setEntered} isReadOnly={isReadOnly} />
        </Panel>
        <Panel title="Sender">
          <SenderFields
            value={entered}
            onChange={(next) => setEntered({ ...entered, ...next })}
            fallback={{ senderName: defaults.senderName ?? defaults.organisation, replyTo: defaults.replyTo ?? "" }}
            isReadOnly={isReadOnly}
          />
        </Panel>
        <Panel
          title="Texts"
          description="A credential that somebody sends by e-mail has the text of “Credential is ready”."
        >
          <TextFields
            kind={kind}
            onKind={setKind}
            texts={entered.texts}
            onChange={(texts) => setEntered({ ...entered, texts })}
            fallback={(each) => defaults.texts[each] ?? builtInTexts(current.locale).texts[each]}
            isReadOnly={isReadOnly}
          />
        </Panel>
        {isReadOnly ? (
          <p className="text-xs text-muted">Admins and owners can change it.</p>
        ) : (
          <SaveBar isPending={action.isPending} />
        )}
      </ProblemForm>
      <MessagePreview templateId={template.id} kind={kind} entered={entered} />
    </div>
  );
}
