"use client";
import { Button } from "@heroui/react";
import { CircleAlert, RotateCw } from "lucide-react";
import { problemOf } from "@/components/problem";

/** Replaces the API's words by the console's, and the id that a link contained. */
const gone = {
  title: "Not found",
  detail:
    "There is nothing at this address. It was deleted, belongs to another organisation, or the link is not complete.",
  status: 404,
  requestId: undefined,
};

/** Says why something could not be loaded, with a button to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const found = problemOf(error);
  const problem = found.code === "not_found" ? gone : found;
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-xl bg-danger-soft text-danger-soft-foreground">
        <CircleAlert className="size-5" aria-hidden="true" />
      </span>
      <p className="text-sm font-semibold">{problem.title}</p>
      <p className="mt-1 max-w-md text-[0.8125rem] text-pretty text-muted">{problem.detail}</p>
      {problem.requestId && <p className="mt-2 font-mono text-xs text-muted">{problem.requestId}</p>}
      {onRetry && problem.status !== 403 && problem.status !== 404 && (
        <Button variant="outline" className="mt-5" onPress={onRetry}>
          <RotateCw aria-hidden="true" /> Try again
        </Button>
      )}
    </div>
  );
}
