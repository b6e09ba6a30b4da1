import { trpcHandler } from "@/server/trpc/handler";
import type { Problem } from "@/server/trpc/errors";

const origin = "http://localhost:3000";

/** Calls a procedure of the console as a browser does. Returns its result or the problem document of the refusal. */
export async function runTrpc(
  method: "GET" | "POST",
  path: string,
  input: unknown,
  headers = new Headers(),
): Promise<unknown> {
  const url = new URL(`/api/trpc/${path}`, origin);
  if (method === "GET") url.searchParams.set("input", JSON.stringify(input));
  const sent = new Headers(headers);
  sent.set("content-type", "application/json");
  sent.set("origin", origin);
  const response = await trpcHandler(
    new Request(url, { method, headers: sent, ...(method === "POST" && { body: JSON.stringify(input) }) }),
  );
  const { result, error } = (await response.json()) as {
    result?: { data: unknown };
    error?: { data: { problem: Problem } };
  };
  return error ? error.data.problem : result?.data;
}
