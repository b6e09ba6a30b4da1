import { publicCookieName } from "@/server/access/public-cookie";
import { readCookie } from "@/server/access/console-session";
import { DomainError } from "@/server/core/errors";
import type { Endpoint } from "@/server/http/rest/endpoint";
import { readBytes } from "@/server/http/rest/read-body";
import { refuseForeign } from "@/server/http/web/own-origin";
import { publicPage, type PageReply, type PageRequest } from "./public-page";

const bodyLimit = 64 * 1024;
const mostFields = 50;

/** Serves a page with forms. A failure says what happened, and leads back. */
export const formPage = (serve: (page: PageRequest) => Promise<PageReply>): Endpoint =>
  publicPage(serve, (pages, { error, address, reference }) =>
    pages.notDonePage({
      address,
      reference,
      detail: error instanceof DomainError ? error.message : null,
    }),
  );

/**
 * Reads a form that this page sent.
 * @throws DomainError cross_origin for a form of another site; unsupported_media_type; payload_too_large
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  refuseForeign(request);
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new DomainError("unsupported_media_type", "Send the form as application/x-www-form-urlencoded.");
  const bytes = await readBytes(request, bodyLimit);
  const sent = [...new URLSearchParams(Buffer.from(bytes).toString())].slice(0, mostFields);
  // PostgreSQL stores no NUL.
  return Object.fromEntries(sent.map(([name, value]) => [name, value.replaceAll("\0", "")]));
}

/** The value of a cookie of these forms; null without one. */
export const cookieOf = (request: Request, name: "claim" | "home"): string | null =>
  readCookie(request.headers.get("cookie") ?? "", publicCookieName(name)) ?? null;

/** Sends the browser on after a form was taken, so that a reload sends nothing twice. */
export const seeOther = (location: string, cookie?: string): PageReply => ({
  status: 303,
  html: null,
  headers: { location, ...(cookie !== undefined && { "set-cookie": cookie }) },
});
