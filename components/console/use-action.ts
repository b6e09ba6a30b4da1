"use client";
import { toast } from "@heroui/react";
import { notifyManager, useMutation, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { problemOf, type Problem } from "@/components/problem";
import { missedWords, wentAway } from "./missed-refusals";
import { useOnline } from "./online";

interface Behaviour<I, O> {
  /** Said in a toast when it is done; null for nothing to say. */
  done?: string | ((output: O, input: I) => string | null);
  /** The toast is not green: what was asked for goes on, and can still fail. */
  goesOn?: boolean;
  onDone?(output: O, input: I): unknown;
  /** Told each refusal, also where the part of the page that asked is gone by then. True if it shows the refusal. */
  onProblem?(problem: Problem, input: I): boolean;
  /** Said where the record that is changed is not there any more, and the part of the page that asked is gone with it. */
  gone?: string;
  /**
   * Nothing is read anew when it is done: the caller does that later. For a dialog that shows a result which a new
   * session would take away.
   */
  keepsData?: boolean;
  /** It only reads, as a preview does: a lost answer leaves no doubt whether something was changed. */
  writesNothing?: boolean;
  /** A refusal is said in a toast, for actions that no form or dialog stands for. */
  loud?: boolean;
}

export interface Action<I, O = unknown> {
  run(input: I): void;
  isPending: boolean;
  isDone: boolean;
  /** What the last run that succeeded answered. */
  output: O | undefined;
  problem: Problem | null;
  reset(): void;
}

/**
 * A change that a person asks for. When it is done, everything on the page is read anew: what one change moves, few
 * pages know. A refusal is said in a toast if the dialog or row that would show it goes away when the page is read anew,
 * for instance because somebody else removed its record.
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
  const online = useOnline();
  // State is of the last render; of two clicks in one moment the second sees this alone.
  const running = useRef(false);
  /** The refusal that stands; null once it was reset or the change was tried again. */
  const standing = useRef<Problem | null>(null);
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const mutation = useMutation({
    ...options,
    onSuccess(output, input) {
      if (!keepsData) void queries.invalidateQueries();
      const said = typeof done === "function" ? done(output, input) : done;
      if (said) (goesOn ? toast.info : toast.success)(said);
      onDone?.(output, input);
    },
    onError(error, input) {
      const refusal = writesNothing ? problemOf(error) : outcomeOf(problemOf(error));
      setProblem(refusal);
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
      mutation.mutate(input);
    },
    isPending: mutation.isPending,
    isDone: mutation.isSuccess,
    output: mutation.data,
    // Once the connection is back, it can be tried again: that nothing was sent is no news any more.
    problem: online && problem?.code === "offline" ? null : problem,
    reset() {
      standing.current = null;
      setProblem(null);
      mutation.reset();
    },
  };
}

/**
 * Refusals that say nothing new about the records on the page. After any other refusal, and after a lost answer, the
 * records may differ from what the page shows, so everything is read anew.
 */
const changesNothing: ReadonlySet<Problem["code"]> = new Set<Problem["code"]>([
  "offline",
  "unauthenticated",
  "invalid_request",
  "rate_limited",
]);

/** A change whose answer never came may have been made. */
function outcomeOf(problem: Problem): Problem {
  if (problem.code !== "unreachable") return problem;
  return {
    ...problem,
    detail: "It is not known whether the change was made. Check the connection, and look before you try again.",
  };
}
