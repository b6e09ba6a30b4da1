"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { NotSent } from "@/components/console/online";
import { useState, type ReactNode } from "react";
import type { AppRouter } from "@/server/trpc/root";
import { newQueryClient } from "./query-client";

const context = createTRPCContext<AppRouter>();

/** `useTRPC` builds the options of queries and mutations; `useTRPCClient` calls procedures directly. */
export const { useTRPC, useTRPCClient } = context;

/** Longer than any procedure takes. A request without an answer is aborted then. */
const timeoutMs = 60_000;

/** Fails at once without a connection, so that nothing is sent later. */
function send(url: RequestInfo | URL | string, init: RequestInit = {}): Promise<Response> {
  if (!navigator.onLine) return Promise.reject(new NotSent("The browser is offline"));
  const timeout = AbortSignal.timeout(timeoutMs);
  return fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
}

let shown: string | undefined;

/**
 * Sends with each call the organisation that the pages show, so that nothing is changed in another organisation that
 * was opened in another window. If the server sees a difference, the page is reloaded.
 */
export function showOrganisation(orgId: string): void {
  if (shown && shown !== orgId) window.location.reload();
  shown = orgId;
}

/** The organisation that the pages show. */
export const shownOrganisation = () => shown;

/** For a procedure whose answer is a file: `query(input, streamed)`. The file is streamed without a time limit. */
export const streamed = { context: { streamed: true } };

/** For a query whose input may be too long for a URL: `queryOptions(input, { trpc: posted })`. */
export const posted = { context: { posted: true } };

/** For a procedure whose answer is a file and whose input may be too long for a URL. */
export const postedAndStreamed = { context: { streamed: true, posted: true } };

function sendStreamed(url: RequestInfo | URL | string, init: RequestInit = {}): Promise<Response> {
  return navigator.onLine ? fetch(url, init) : Promise.reject(new NotSent("The browser is offline"));
}

const headers = () => (shown ? { "x-organisation": shown } : {});
const link = splitLink<AppRouter>({
  condition: ({ context }) => context["streamed"] === true,
  true: splitLink({
    condition: ({ context }) => context["posted"] === true,
    true: httpBatchStreamLink({
      url: "/api/trpc",
      maxItems: 1,
      methodOverride: "POST",
      fetch: sendStreamed,
      headers,
    }),
    false: httpBatchStreamLink({ url: "/api/trpc", maxItems: 1, fetch: sendStreamed, headers }),
  }),
  false: splitLink({
    condition: ({ context }) => context["posted"] === true,
    true: httpBatchLink({ url: "/api/trpc", maxItems: 1, methodOverride: "POST", fetch: send, headers }),
    false: httpBatchLink({ url: "/api/trpc", maxURLLength: 8000, maxItems: 30, fetch: send, headers }),
  }),
});

/** The tRPC client that the console's pages use. */
export function TrpcProvider({ children }: { children: ReactNode }) {
  const [queries] = useState(newQueryClient);
  const [client] = useState(() => createTRPCClient<AppRouter>({ links: [link] }));
  return (
    <QueryClientProvider client={queries}>
      <context.TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
