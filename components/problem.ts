import { wasNotSent } from "@/components/console/online";
import type { Problem as Refusal } from "@/server/trpc/errors";

/** A refusal by the service, as the console reads it. Also used if the service could not be reached. */
export interface Problem extends Pick<Refusal, "title" | "status" | "detail" | "requestId" | "errors" | "members"> {
  code: Refusal["code"] | "unreachable" | "offline";
}

interface Carrier {
  data?: { problem?: Problem };
}

/** Reads the problem from any thrown error. A call that never reached the service gets a problem that says so. */
export function problemOf(error: unknown): Problem {
  const problem = (error as Carrier | null)?.data?.problem;
  if (problem) return problem;
  if (wasNotSent(error))
    return {
      status: 0,
      code: "offline",
      title: "You are offline",
      detail: "Nothing was sent. Try again once the connection is back.",
    };
  return {
    status: 0,
    code: "unreachable",
    title: "The service did not answer",
    detail: "Check the connection and try again.",
  };
}

/** Returns the errors of a form by field name: "/attributes/department" becomes "attributes/department". */
export function fieldErrors(problem: Problem | null): Record<string, string> {
  return Object.fromEntries(
    (problem?.errors ?? []).map(({ pointer, message }) => {
      const name = pointer.replace(/^\//, "");
      // A message below its field need not repeat the field's name, which the service writes as results[0].name.
      const field = name.replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
      return [name, sentence(message.startsWith(`${field} `) ? message.slice(field.length + 1) : message)];
    }),
  );
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? "" : ".");
}
