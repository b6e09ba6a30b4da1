import { addressBlock } from "@/server/core/address-block";
import type { Visitor } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { languageOf, type Language } from "@/server/core/languages";
import { clientAddress } from "@/server/http/rest/client-address";
import type { Endpoint, RouteContext } from "@/server/http/rest/endpoint";
import { problemAnswer } from "@/server/http/rest/problem";
import { consumeAddress } from "@/server/http/rest/rate-limit";
import { respond } from "@/server/http/rest/respond";
import type { VerificationContext } from "@/server/verification/verify-code";
import type { Asked } from "@/server/verification/verify-document";
import { viewerOf } from "@/server/verification/viewer";
import { pageHeaders, renderer, type Pages } from "./renderer";

export interface PageRequest {
  request: Request;
  /** The path parameters as they stand in the address: encoded, and not always rightly. */
  params: Record<string, string>;
  /** In the language that the browser asks for. */
  pages: Pages;
  language: Language;
  /** The visitor. Their request was counted at the front door (server/http/web/front-door.ts), apart from the API. */
  context(): VerificationContext;
  /** The visitor as who asks for the verification of a document. */
  asks(): Asked;
  /** Who asks, for commands of visitors. Counts the request as one of the API too. @throws DomainError `rate_limited` */
  visitor(): Promise<Visitor>;
}

export interface PageReply {
  status: number;
  html: string | null;
  /** What a form was refused with, so that the page can show it after a redirect: see formPage. */
  refused?: object;
  headers?: Record<string, string>;
}

/** Makes the page that reports a failure. */
type TellFailure = (pages: Pages, failure: { error: unknown; address: string; reference: string }) => string;

/** A failure says nothing for or against a credential. */
const notChecked: TellFailure = (pages, { address, reference }) => pages.notCheckedPage({ address, reference });

/**
 * Serves a public page as a whole document, with and without Next. A failure is a page too.
 */
export function publicPage(
  serve: (page: PageRequest) => Promise<PageReply>,
  tellFailure: TellFailure = notChecked,
): Endpoint {
  return async (request: Request, context?: RouteContext) => {
    const requestId = newPublicId("req");
    const bundle = await renderer();
    const language = languageOf(request.headers.get("accept-language"));
    const pages = language === "de" ? bundle.german : bundle.english;
    const headers = { ...pageHeaders(bundle), "content-language": language, "request-id": requestId };
    try {
      const params = ((await context?.params) ?? {}) as Record<string, string>;
      const {
        status,
        html,
        headers: more,
      } = await serve({ request, params, pages, language, ...asked(request, requestId, language) });
      return respond(html, { status, headers: { ...headers, ...more } });
    } catch (error) {
      // Logged as the API logs it.
      const { status, headers: told } = problemAnswer(error, requestId);
      const retryAfter = told["retry-after"];
      const { pathname, search } = new URL(request.url);
      return respond(tellFailure(pages, { error, address: pathname + search, reference: requestId }), {
        status,
        headers: { ...headers, ...(retryAfter && { "retry-after": retryAfter }) },
      });
    }
  };
}

function asked(
  request: Request,
  requestId: string,
  language: Language,
): Pick<PageRequest, "context" | "asks" | "visitor"> {
  const address = clientAddress(request);
  const context = (): VerificationContext => {
    const viewer = viewerOf(address, request.headers.get("user-agent"));
    return { via: "page", viewer, now: new Date(), isVisit: isVisit(request.headers), language };
  };
  const visitor = async (): Promise<Visitor> => {
    await consumeAddress(address);
    const userAgent = request.headers.get("user-agent") ?? "";
    return { address, requestId, now: new Date(), userAgent, language };
  };
  return { context, asks: () => ({ context: context(), caller: addressBlock(address) }), visitor };
}

/**
 * Whether somebody goes to the page. Browsers name what they load ahead (Sec-Purpose) and what scripts ask for
 * (Sec-Fetch-Mode).
 */
function isVisit(sent: Headers): boolean {
  const purpose = `${sent.get("sec-purpose") ?? ""} ${sent.get("purpose") ?? ""}`;
  return !purpose.includes("prefetch") && (sent.get("sec-fetch-mode") ?? "navigate") === "navigate";
}

/** What `load` finds; null where it finds nothing. */
export async function orNull<Found>(load: Promise<Found>): Promise<Found | null> {
  try {
    return await load;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
