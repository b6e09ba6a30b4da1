import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { Message } from "../../message";
import { reachService } from "../../reach-service";
import type { AnswerProps, BriefProps } from "../../verify-answer";

type Answers = typeof import("../../verify-answer");

const retryMs = 3_000;
let loaded: Answers | undefined;

/** Loads the module that shows answers. /verify does so as soon as somebody begins to check something. */
export async function loadAnswers(): Promise<Answers> {
  if (loaded) return loaded;
  await reachService();
  return (loaded = await import("../../verify-answer").catch(importAnew));
}

/**
 * Loads the module under an address that was not tried before. After a failed import, its own address keeps failing
 * while the page is open. The browser's error contains that address.
 */
function importAnew(error: unknown): Promise<Answers> {
  const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
  if (!address) throw error;
  return import(`${address}?${Date.now()}`) as Promise<Answers>;
}

// Components of answers, which wait for the module. The build replaces components/public/verify-answer.tsx with this
// file.

export function VerifyAnswer(props: AnswerProps) {
  const answers = useAnswers();
  return answers ? <answers.VerifyAnswer {...props} /> : <Loading />;
}

export function BriefAnswer(props: BriefProps) {
  const answers = useAnswers();
  return answers ? <answers.BriefAnswer {...props} /> : <Loading />;
}

function useAnswers(): Answers | undefined {
  const [answers, setAnswers] = useState(loaded);
  useEffect(() => {
    if (answers) return;
    let timer: ReturnType<typeof setTimeout>;
    const load = () => void loadAnswers().then(setAnswers, () => (timer = setTimeout(load, retryMs)));
    load();
    return () => clearTimeout(timer);
  }, [answers]);
  return answers;
}

function Loading() {
  return (
    <Message icon={LoaderCircle} title="Checking…">
      <p>The answer comes in a moment.</p>
    </Message>
  );
}
