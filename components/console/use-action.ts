"use client";
import { toast } from "@heroui/react";
import { notifyManager, useMutation, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { problemOf, type Problem } from "@/components/problem";
import { missedWords, wentAway } from "./missed-refusals";
import { useOnline } from "./online";

interface Behaviour<I, O> {
  /** The text of a toast after success; null for no toast. */
  done?: string | ((output: O, input: I) => string | null);
  /** True if the toast is not green, because the requested work continues and can still fail. */
  goesOn?: boolean;
  onDone?(output: O, input: I): unknown;
  /**
   * Called with each refusal, even if the part of the page that started the action is gone. Returns true if it shows
   * the refusal.
   */
  onProblem?(problem: Problem, input: I): boolean;
  /**
   * The text of a toast if the changed record no longer exists, and the part of the page that started the action is
   * gone.
   */
  gone?: string;
  /**
   * If true, nothing is reloaded after success, because the caller does that later. For a dialog with a result that a
   * new session would remove.
   */
  keepsData?: boolean;
  /** True for an action that only reads, such as a preview. If its answer is lost, nothing can have changed. */
  writesNothing?: boolean;
  /** If true, a refusal is shown in a toast, for actions without a form or dialog. */
  loud?: boolean;
}

export interface Action<I, O = unknown> {
  run(input: I): void;
  isPending: boolean;
  isDone: boolean;
  /** The result of the last successful run. */
  output: O | undefined;
  problem: Problem | null;
  reset(): void;
}

/**
 * Kept apart from the mutation, whose own state follows later: a form must see which values were sent, and the answer
 * together with what `onDone` makes of it, before anything else is typed.
 */
type Run<O> = Pick<Action<unknown, O>, "isPending" | "isDone" | "output">;
const idle = { isPending: false, isDone: false, output: undefined };

/**
 * Runs a change that a person requests. Afterwards it reloads everything on the page, because a page rarely knows
 * everything that a change affects. A refusal is shown in a toast if its dialog or row disappears during the reload,
 * for instance because somebody else removed the record.
 */
export function useAction<I, O, E>(
  options: UseMutationOptions<O, E, I>,
  {
    done,
    goesOn = false,
    onDone,
    onProblem,
    gone,
    keepsData = false,
    writesNothing = false,
    loud = false,
  }: Behaviour<I, O> = {},
): Action<I, O> {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [run, setRun] = useState<Run<O>>(idle);
  const online = useOnline();
  // State belongs to the last render. Of two clicks at the same moment, the second one sees only this ref.
  const running = useRef(false);
  /** The current refusal; null after a reset or a new attempt. */
  const standing = useRef<Problem | null>(null);
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const mutation = useMutation({
    ...options,
    onSuccess(output, input) {
      setRun((now) => (now.isPending ? { isPending: false, isDone: true, output } : now));
      if (!keepsData) void queries.invalidateQueries();
      const said = typeof done === "function" ? done(output, input) : done;
      if (said) (goesOn ? toast.info : toast.success)(said);
      onDone?.(output, input);
    },
    onError(error, input) {
      const refusal = writesNothing ? problemOf(error) : outcomeOf(problemOf(error));
      setProblem(refusal);
      setRun(idle);
      standing.current = refusal;
      const isShown = onProblem?.(refusal, input) === true;
      const read = changesNothing.has(refusal.code) ? Promise.resolve() : queries.invalidateQueries();
      if (loud) toast.danger(refusal.title, { description: refusal.detail });
      else if (!isShown) void read.then(() => notifyManager.schedule(() => tellIfMissed(refusal)));
    },
    onSettled() {
      running.current = false;
    },
  });
  function tellIfMissed(refusal: Problem) {
    if (standing.current !== refusal || (isMounted.current && !wentAway(refusal))) return;
    const { title, detail } = missedWords(refusal, gone);
    toast.danger(title, { description: detail });
  }
  return {
    run(input) {
      if (running.current) return;
      running.current = true;
      standing.current = null;
      setProblem(null);
      setRun({ ...idle, isPending: true });
      mutation.mutate(input);
    },
    ...run,
    // Once the connection is back, the change can be tried again, so the message that nothing was sent is outdated.
    problem: online && problem?.code === "offline" ? null : problem,
    reset() {
      standing.current = null;
      setProblem(null);
      setRun(idle);
      mutation.reset();
    },
  };
}

/**
 * Refusals that contain no news about the records on the page. After any other refusal, and after a lost answer, the
 * records may differ from what the page shows, so everything is reloaded.
 */
const changesNothing: ReadonlySet<Problem["code"]> = new Set<Problem["code"]>([
  "offline",
  "unauthenticated",
  "invalid_request",
  "rate_limited",
]);

/** A change without an answer may have been made. */
function outcomeOf(problem: Problem): Problem {
  if (problem.code !== "unreachable") return problem;
  return {
    ...problem,
    detail: "It is not known whether the change was made. Check the connection, and look before you try again.",
  };
}
