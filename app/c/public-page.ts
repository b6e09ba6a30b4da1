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
  /** The path parameters as they are in the URL, possibly with invalid percent-encoding. */
  params: Record<string, string>;
  /** The pages in the language that the browser prefers. */
  pages: Pages;
  language: Language;
  /**
   * The visitor. The request was counted at the front door (server/http/web/front-door.ts), separately from the API.
   */
  context(): VerificationContext;
  /** The visitor as the caller of a document's verification. */
  asks(): Asked;
  /**
   * The visitor as the actor of commands. Also counts the request as one of the API.
   *
   * @throws DomainError `rate_limited`
   */
  visitor(): Promise<Visitor>;
}

export interface PageReply {
  status: number;
  html: string | null;
  /** The refused form, which the page shows after a redirect: see formPage. */
  refused?: object;
  headers?: Record<string, string>;
}

/** Makes the page that reports a failure. */
type TellFailure = (pages: Pages, failure: { error: unknown; address: string; reference: string }) => string;

/** A failure does not say whether a credential is valid. */
const notChecked: TellFailure = (pages, { address, reference }) => pages.notCheckedPage({ address, reference });

/** Serves a public page as a whole document, with and without Next. Failures are pages too. */
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
      // Log the error as the API does.
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

/** Whether a person opens the page. Browsers mark preloads (Sec-Purpose) and requests of scripts (Sec-Fetch-Mode). */
function isVisit(sent: Headers): boolean {
  const purpose = `${sent.get("sec-purpose") ?? ""} ${sent.get("purpose") ?? ""}`;
  return !purpose.includes("prefetch") && (sent.get("sec-fetch-mode") ?? "navigate") === "navigate";
}

/** Returns the result of `load`; null if it finds nothing. */
export async function orNull<Found>(load: Promise<Found>): Promise<Found | null> {
  try {
    return await load;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
