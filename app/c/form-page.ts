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
 * Serves a page with forms. An error page says what happened and links back. A refused form is shown once, after a
 * redirect: if the POST itself returned the page, Back and Reload would send the form again or show an outdated error.
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

/** Browsers limit a cookie to 4 kB. */
const mostKept = 3_500;
const keptSeconds = 120;
const boundTo = (pathname: string) => `form:${pathname}`;

/** Redirects to the page that shows the refused form; null if the form is too long for a cookie. */
function shownOnce(request: Request, refused: object): PageReply | null {
  const { pathname } = new URL(request.url);
  const sealed = Buffer.from(encrypt(JSON.stringify(refused), boundTo(pathname))).toString("base64url");
  return sealed.length > mostKept ? null : seeOther(pathname, publicCookie("form", sealed, keptSeconds));
}

/** The refused form that this page was redirected with. The cookie is sealed, so only this service can write it. */
export function refusedBefore<Refused extends object>(request: Request): Refused | null {
  const sealed = cookieOf(request, "form");
  if (sealed === null) return null;
  try {
    const { pathname } = new URL(request.url);
    return JSON.parse(decrypt(Buffer.from(sealed, "base64url"), boundTo(pathname))) as Refused;
  } catch {
    // The cookie belongs to another page, or was written by a server with another secret.
    return null;
  }
}

/**
 * Reads a form of this page.
 *
 * @throws DomainError cross_origin for a form of another site; unsupported_media_type; payload_too_large
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  refuseForeign(request);
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new DomainError("unsupported_media_type", "Send the form as application/x-www-form-urlencoded.");
  const bytes = await readBytes(request, bodyLimit);
  const sent = [...new URLSearchParams(Buffer.from(bytes).toString())].slice(0, mostFields);
  // PostgreSQL cannot store the character NUL.
  return Object.fromEntries(sent.map(([name, value]) => [name, value.replaceAll("\0", "")]));
}

/** The value of the cookie; null if there is none. */
export const cookieOf = (request: Request, name: "claim" | "home" | "form"): string | null =>
  readCookie(request.headers.get("cookie") ?? "", publicCookieName(name)) ?? null;

/** Redirects after an accepted form, so that a reload sends nothing twice. */
export const seeOther = (location: string, cookie?: string): PageReply => ({
  status: 303,
  html: null,
  headers: { location, ...(cookie !== undefined && { "set-cookie": cookie }) },
});
