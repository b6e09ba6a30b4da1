import { serve } from "inngest/edge";
import { asBackground } from "@/server/core/db";
import { env } from "@/server/core/env";
import { inngest } from "./client";
import { functions } from "./functions";
import { engineMode } from "./mode";

let handler: ((request: Request) => Promise<Response>) | undefined;

/**
 * Handles calls of the configured Inngest server; they must be signed. Answers 404 while the embedded engine runs the
 * functions.
 */
export async function handleInngest(request: Request): Promise<Response> {
  if (engineMode() === "embedded") return new Response("Not found", { status: 404 });
  handler ??= serve({
    client: inngest,
    functions,
    serveOrigin: env().PUBLIC_URL,
    servePath: "/api/inngest",
    enableUnauthedSync: false,
  });
  const call = handler;
  return asBackground(() => call(request));
}
