import { publicCookie, publicCookieName } from "@/server/access/public-cookie";
import { readCookie } from "@/server/access/console-session";
import { decrypt, encrypt } from "@/server/core/secrets";
import { DomainError } from "@/server/core/errors";
import type { Endpoint } from "@/server/http/rest/endpoint";
import { readBytes } from "@/server/http/rest/read-body";
import { refuseForeign } from "@/server/http/web/own-origin";
import { publicPage, type PageReply, type PageRequest } from "./public-page";

const bodyLimit = 64 * 1024;
const mostFields = 50;

/**
 * Serves a page with forms. A failure says what happened, and leads back. A refused form is shown after a redirect,
 * once: under the address of a POST, Back and a reload would send it again, or show an error that is over.
 */
export const formPage = (serve: (page: PageRequest) => Promise<PageReply>): Endpoint =>
  publicPage(
    async (page) => {
      const { refused, ...reply } = await serve(page);
      const { request } = page;
      if (request.method === "POST") return (refused && shownOnce(request, refused)) ?? reply;
      if (cookieOf(request, "form") === null) return reply;
      return { ...reply, headers: { ...reply.headers, "set-cookie": publicCookie("form", null, 0) } };
    },
    (pages, { error, address, reference }) =>
      pages.notDonePage({ address, reference, detail: error instanceof DomainError ? error.message : null }),
  );

/** Browsers keep cookies of 4 kB. */
const mostKept = 3_500;
const keptSeconds = 120;
const boundTo = (pathname: string) => `form:${pathname}`;

/** Leads to the page that shows the refused form; null where the form is too long for a cookie. */
function shownOnce(request: Request, refused: object): PageReply | null {
  const { pathname } = new URL(request.url);
  const sealed = Buffer.from(encrypt(JSON.stringify(refused), boundTo(pathname))).toString("base64url");
  return sealed.length > mostKept ? null : seeOther(pathname, publicCookie("form", sealed, keptSeconds));
}

/** What the form of this page was refused with just now. Only this service can write it. */
export function refusedBefore<Refused extends object>(request: Request): Refused | null {
  const sealed = cookieOf(request, "form");
  if (sealed === null) return null;
  try {
    const { pathname } = new URL(request.url);
    return JSON.parse(decrypt(Buffer.from(sealed, "base64url"), boundTo(pathname))) as Refused;
  } catch {
    // Of another page, or of a server with another secret.
    return null;
  }
}

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
export const cookieOf = (request: Request, name: "claim" | "home" | "form"): string | null =>
  readCookie(request.headers.get("cookie") ?? "", publicCookieName(name)) ?? null;

/** Sends the browser on after a form was taken, so that a reload sends nothing twice. */
export const seeOther = (location: string, cookie?: string): PageReply => ({
  status: 303,
  html: null,
  headers: { location, ...(cookie !== undefined && { "set-cookie": cookie }) },
});
