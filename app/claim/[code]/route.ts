import { sendsMail } from "@/server/access/account-mail";
import { provedMs } from "@/server/access/address-proof";
import { publicCookie } from "@/server/access/public-cookie";
import { enterClaimCode } from "@/server/claims/enter-code";
import { findLink, type PublicLink } from "@/server/claims/find-link";
import { loadProgress } from "@/server/claims/load-progress";
import { requestClaimCode } from "@/server/claims/request-code";
import { submitClaim } from "@/server/claims/submit-claim";
import type { Visitor } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { formatCode } from "@/server/credentials/code";
import { cookieOf, formPage, readForm, refusedBefore, seeOther } from "../../c/form-page";
import type { PageReply, PageRequest } from "../../c/public-page";

type Entered = Record<string, string>;

interface Refused {
  entered: Entered;
  errors: Entered;
  /** Whether the form for the address was refused; it is shown even if an address was proved before. */
  isFirstStep?: boolean;
}

/** Renders the page of a claim link at the step that this browser has reached. */
export const GET = formPage(async (page) => {
  await page.visitor();
  const { link, token } = await open(page);
  if (!link) return unknown(page);
  const refused = refusedBefore<Refused>(page.request);
  const { html } = await show(page, link, refused?.isFirstStep ? null : token, refused);
  return { status: 200, html };
});

/** Handles the page's forms. Redirects back to the page, or renders the form again with errors. */
export const POST = formPage(async (page) => {
  const visitor = await page.visitor();
  const form = await readForm(page.request);
  const { link, token } = await open(page);
  if (!link) return unknown(page);
  const { code } = link;
  const address = `/claim/${formatCode(code)}`;
  const refused = (errors: Entered, kept: string | null = token) =>
    show(page, link, kept, { entered: form, errors, isFirstStep: kept === null });
  switch (form["step"]) {
    case "address":
      try {
        const begun = await requestClaimCode(visitor, { code, email: form["email"] ?? "" });
        return seeOther(address, begun ? publicCookie("claim", begun.token, provedMs / 1000) : undefined);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.code === "invalid_request")
          return await refused({ email: "Enter an e-mail address, such as ada@example.edu." }, null);
        if (error.code === "rate_limited")
          return { status: 429, html: (await refused({ form: error.message }, null)).html };
        throw error;
      }
    case "code": {
      const outcome = token === null ? "over" : await enterClaimCode(visitor, { token, digits: form["digits"] ?? "" });
      if (outcome === "right") return seeOther(address);
      return outcome === "wrong"
        ? refused({ digits: "That is not the code. Look at the newest e-mail." })
        : refused({ form: "This code works no more. Ask for a new one." }, null);
    }
    case "fields":
      if (token !== null) return submit(page, visitor, link, token, form);
      return seeOther(address);
    default:
      return seeOther(address, publicCookie("claim", null, 0));
  }
});

async function submit(
  page: PageRequest,
  visitor: Visitor,
  link: PublicLink,
  token: string,
  { step: _, ...entered }: Entered,
): Promise<PageReply> {
  try {
    const submitted = await submitClaim(visitor, { code: link.code, token, entered, language: page.language });
    if (submitted.outcome === "errors") return await show(page, link, token, { entered, errors: submitted.errors });
    return seeOther(`/claim/${formatCode(link.code)}`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The person received the credential at the same moment; the page says so.
    if (error.code === "credential_exists") return seeOther(`/claim/${formatCode(link.code)}`);
    // The API's message is written for the organisation.
    const form =
      error.code === "subject_erased"
        ? `${link.organisation} erased what it knew of this address, as was asked. Ask them, if you want it again.`
        : error.code === "expiry_out_of_range"
          ? `The last day of this credential has passed already. Nothing was stored. Tell ${link.organisation}, and claim again once they have corrected it.`
          : error.code === "validity_unresolved"
            ? `${link.organisation} has no last day on record for you, and this credential needs one. Nothing was stored. Ask them to add it, and claim again.`
            : error.code === "name_unconfirmed"
              ? `${link.organisation} asked you by e-mail already to confirm your name for this credential. Open the link in that e-mail; you get the credential then.`
              : error.code === "invalid_request"
                ? "Something that you entered is too long or cannot be stored. Shorten it, and try again."
                : `${link.organisation} cannot issue it to you at the moment. Nothing was stored. Tell them, and try again later.`;
    return show(page, link, token, { entered, errors: { form } });
  }
}

async function open({
  request,
  params,
  language,
}: PageRequest): Promise<{ link: PublicLink | null; token: string | null }> {
  return {
    link: await findLink(params["code"] ?? "", new Date(), undefined, language),
    token: cookieOf(request, "claim"),
  };
}

const unknown = ({ pages }: PageRequest): PageReply => ({ status: 404, html: pages.unknownClaimPage() });

async function show(
  { pages }: PageRequest,
  link: PublicLink,
  token: string | null,
  refused: Refused | null = null,
): Promise<PageReply> {
  const { code, title, organisation, region, brand, state, needsApproval } = link;
  const html = pages.claimPage({
    code: formatCode(code),
    title,
    organisation,
    timeZone: region.timeZone,
    brand,
    state,
    needsApproval,
    progress: await loadProgress(link, token, new Date()),
    sendsMail: sendsMail(),
    entered: refused?.entered ?? {},
    errors: refused?.errors ?? {},
  });
  return refused ? { status: 400, html, refused } : { status: 200, html };
}
