"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { problemOf } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Fact, Facts } from "@/components/ui/facts";
import { ProblemNotice } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { automaticKinds, type AutomaticKind } from "@/server/message-texts/kinds";
import { placeholderProblem } from "@/server/message-texts/placeholders";
import type { SubjectView } from "@/server/subjects/view";
import { inputOf } from "../../../_messages/entered";
import { useSession } from "../../../_shell/session";
import { kindWords } from "../../../messages/words";
import { SubjectPicker } from "../../../subjects/subject-picker";
import type { EnteredMessages } from "../../../_messages/entered";

/** Previews the message with the entered, unsaved settings. */
export function MessagePreview({
  templateId,
  kind,
  entered,
}: {
  templateId: string;
  kind: AutomaticKind;
  entered: EnteredMessages;
}) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [person, setPerson] = useState<SubjectView | null>(null);
  const { senderName, replyTo, texts } = useSettled(entered);
  const sample = {
    id: templateId,
    kind,
    ...(person && { subjectId: person.id }),
    messages: inputOf({ senderName, replyTo, texts }),
  };
  const problem = textProblem(texts);
  const query = useQuery(
    trpc.messages.preview.queryOptions(sample, { placeholderData: keepPreviousData, enabled: problem === null }),
  );
  const test = useAction(trpc.messages.sendTest.mutationOptions(), {
    done: ({ to }) => `Sent to ${to}`,
    keepsData: true,
  });
  const letter = query.data;
  return (
    <div className="min-w-0 xl:sticky xl:top-5">
      <Panel
        title="Preview"
        description={
          letter && !letter.isExample
            ? "With this person's newest credential."
            : "With examples where the person has no such credential."
        }
        actions={
          can("templates:write") && (
            <Button
              size="sm"
              variant="outline"
              isPending={test.isPending}
              isDisabled={problem !== null}
              onPress={() => test.run(sample)}
            >
              Send a test to me
            </Button>
          )
        }
      >
        <div className="space-y-4">
          {test.problem && <ProblemNotice problem={test.problem} />}
          <SubjectPicker label="As it would reach" value={person} onChange={setPerson} anyStatus />
          {problem && (
            <Notice tone="warning" title="The preview shows what was there before">
              {problem}
            </Notice>
          )}
          {query.error && !problem && <ProblemNotice problem={problemOf(query.error)} />}
          {letter ? (
            <>
              <Facts>
                <Fact name="From">
                  <bdi>{letter.from}</bdi>
                </Fact>
                <Fact name="To">
                  <bdi>
                    {letter.to ?? (person ? "Nobody: the person has no address" : "An example: choose a person above")}
                  </bdi>
                </Fact>
                {letter.replyTo && (
                  <Fact name="Replies go to">
                    <bdi>{letter.replyTo}</bdi>
                  </Fact>
                )}
                <Fact name="Subject">
                  <bdi>{letter.subject}</bdi>
                </Fact>
              </Facts>
              <iframe
                title="Preview of the message"
                sandbox=""
                srcDoc={letter.html}
                className="h-130 w-full rounded-lg border bg-white"
              />
            </>
          ) : (
            !query.error && !problem && <SkeletonLines lines={8} />
          )}
        </div>
      </Panel>
    </div>
  );
}

/** Why the texts cannot be filled in, as a sentence for their author; null if they can. */
function textProblem(texts: EnteredMessages["texts"]): string | null {
  for (const kind of automaticKinds)
    for (const part of ["subject", "body"] as const) {
      const problem = placeholderProblem(texts[kind]?.[part] ?? "");
      if (problem) return `${part === "subject" ? "The subject" : "The text"} of “${kindWords[kind]}” ${problem}.`;
    }
  return null;
}

/** Debounces the entered settings. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
