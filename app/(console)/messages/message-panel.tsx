"use client";
import { Button, Skeleton } from "@heroui/react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAction } from "@/components/console/use-action";
import { problemOf } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { CopyTextButton } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SidePanel } from "@/components/ui/side-panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time, useNow } from "@/components/ui/time";
import { truthfulStates } from "@/server/message-texts/kinds";
import { useSubjectNames } from "../_data/names";
import { useSession } from "../_shell/session";
import { TemplateName } from "../templates/template-name";
import { kindWords, pollEvery, stateWords, type Message } from "./words";

const linkLook = "text-accent hover:underline";

interface Props {
  /** The open message; null if none is open. */
  id: string | null;
  /** The message as the list shows it. Undefined if the list does not show it: then it is loaded. */
  listed: Message | undefined;
  onClose(): void;
}

/** Shows one message, whether the list shows it or not: its state, its link and the possible actions. */
export function MessagePanel({ id, listed, onClose }: Props) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.messages.get.queryOptions(id === null ? skipToken : { id }, {
      placeholderData: listed,
      refetchInterval: ({ state: { data: shown } }) => pollEvery(shown ? [shown] : []),
    }),
  );
  const message = id === null ? undefined : data;
  return (
    <SidePanel
      isOpen={id !== null}
      onOpenChange={(open) => !open && onClose()}
      title={message ? kindWords[message.kind] : "Message"}
      description={message && <bdi>{message.to ?? "No address"}</bdi>}
    >
      {message ? (
        <Details key={message.id} message={message} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        id !== null && <SkeletonLines lines={6} />
      )}
    </SidePanel>
  );
}

function Details({ message }: { message: Message }) {
  const { can } = useSession();
  const nameOf = useSubjectNames(useMemo(() => [message.subjectId], [message.subjectId]));
  return (
    <div className="space-y-5">
      {message.error && (
        <Notice tone={message.state === "bounced" || message.state === "failed" ? "danger" : "info"}>
          {message.error}
          {message.state === "bounced" && <NextStep message={message} />}
        </Notice>
      )}
      <Facts>
        <Fact name="State">
          <Status {...stateWords[message.state]} />
        </Fact>
        <Fact name="Person">
          <Link href={`/subjects/${message.subjectId}`} className={linkLook}>
            <bdi>{nameOf(message.subjectId) ?? message.subjectId}</bdi>
          </Link>
        </Fact>
        <Fact name={message.credentialId ? "Credential" : "Template"}>
          <Link
            href={message.credentialId ? `/credentials/${message.credentialId}` : `/templates/${message.templateId}`}
            className={linkLook}
          >
            <TemplateName id={message.templateId} />
          </Link>
        </Fact>
        <Fact name="Queued">
          <Time at={message.createdAt} as="exact" />
        </Fact>
        {message.nextAttemptAt && (
          <Fact name="Next attempt">
            <NextAttempt at={message.nextAttemptAt} />
          </Fact>
        )}
        {message.sentAt && (
          <Fact name="Accepted by the mail server">
            <Time at={message.sentAt} as="exact" />
          </Fact>
        )}
      </Facts>
      <MessageText message={message} />
      <div className="flex flex-wrap gap-2">
        {message.link && (
          <CopyTextButton
            text={message.link}
            label={message.credentialId ? "Copy link to the credential" : "Copy the holder’s link"}
          />
        )}
        {can("credentials:issue") && <Actions message={message} />}
      </div>
    </div>
  );
}

/** What to do about a refused address. Only a message that somebody sent by hand has an address of its own. */
function NextStep({ message }: { message: Message }) {
  const byHand = message.kind === "sent";
  const what = byHand ? `/credentials/${message.credentialId}` : `/subjects/${message.subjectId}`;
  return (
    <p className="mt-1">
      If the address is wrong,{" "}
      <Link href={what} className="underline">
        {byHand ? "send the credential" : "correct it in the record of the person"}
      </Link>
      {byHand ? " to another one." : ". From then on, messages go to the new one."}
    </p>
  );
}

/** What the message says. The text is made when it is sent, and is not stored. */
function MessageText({ message: { id, state } }: { message: Message }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.messages.text.queryOptions({ id }));
  if (error) return <Notice tone="info">{problemOf(error).detail}</Notice>;
  if (!data) return <Skeleton className="h-40 w-full rounded-lg" />;
  return (
    <section aria-label="Text of the message" className="overflow-hidden rounded-lg border">
      <h3 className="border-b bg-surface-secondary px-3.5 py-2.5 text-[0.8125rem] font-medium wrap-anywhere">
        <bdi>{data.subject}</bdi>
      </h3>
      <p className="max-h-80 overflow-y-auto px-3.5 py-3 text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-line">
        {data.text}
      </p>
      {state !== "pending" && (
        <p className="border-t px-3.5 py-2 text-xs text-pretty text-muted">
          As it reads today: the record and the texts of the template may have changed since.
        </p>
      )}
    </section>
  );
}

/** A due message is sent in the next round of the sender. */
function NextAttempt({ at }: { at: string }) {
  const now = useNow();
  return Date.parse(at) > now ? <Time at={at} as="exact" /> : "Within a minute";
}

function Actions({ message }: { message: Message }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const credential = useQuery(
    trpc.credentials.get.queryOptions(
      message.credentialId && can("credentials:read") ? { id: message.credentialId } : skipToken,
    ),
  ).data;
  const resend = useAction(trpc.messages.resend.mutationOptions(), {
    done: "The message waits to be sent",
    goesOn: true,
    loud: true,
  });
  const cancel = useAction(trpc.messages.cancel.mutationOptions(), { done: "The message is not sent", loud: true });
  if (message.state === "pending")
    return (
      <Button variant="outline" isPending={cancel.isPending} onPress={() => cancel.run({ id: message.id })}>
        Cancel message
      </Button>
    );
  // The service refuses to send a message that is no longer true.
  if (message.kind === "confirm_name")
    return message.link ? (
      <p className="text-xs text-pretty text-muted">
        To send a new link, open{" "}
        <Link href="/credentials/names" className={linkLook}>
          Names to confirm
        </Link>
        .
      </p>
    ) : (
      <p className="text-xs text-pretty text-muted">
        Nothing can be sent again: the name was confirmed, or the request was cancelled.
      </p>
    );
  if (credential && !truthfulStates[message.kind].some((state) => state === credential.state))
    return (
      <p className="text-xs text-pretty text-muted">
        It cannot be sent again. Its text is no longer true, because the credential is {credential.state}.
      </p>
    );
  return (
    <Button variant="outline" isPending={resend.isPending} onPress={() => resend.run({ id: message.id })}>
      Send again
    </Button>
  );
}
