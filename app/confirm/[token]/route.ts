import { confirmOwnName } from "@/server/confirmations/confirm-own";
import { findNameLink, type NameLink } from "@/server/confirmations/find-link";
import { localeIn } from "@/server/core/languages";
import { DomainError } from "@/server/core/errors";
import { requestCorrection } from "@/server/holders/request-correction";
import { formPage, readForm, refusedBefore, seeOther } from "../../c/form-page";
import type { PageReply, PageRequest } from "../../c/public-page";

type Entered = Record<string, string>;
interface Refused {
  entered?: Entered;
  errors: { form?: string; name?: string };
}

/** Shows a holder the name for the credential, to confirm it or to request another one. */
export const GET = formPage(async (page) => {
  await page.visitor();
  const refused = refusedBefore<Refused>(page.request) ?? undefined;
  const { status, html } = await show(page, await findNameLink(tokenOf(page), new Date()), refused);
  return { status: status === 400 ? 200 : status, html };
});

export const POST = formPage(async (page) => {
  const visitor = await page.visitor();
  const form = await readForm(page.request);
  const token = tokenOf(page);
  const link = await findNameLink(token, new Date());
  if (!link) return show(page, null);
  const address = `/confirm/${token}`;
  if (form["step"] === "correct") return correct(page, link, form);
  try {
    const outcome = await confirmOwnName(visitor, { token, name: form["name"] ?? "" });
    if (outcome !== "changed") return seeOther(address);
    return show(page, await findNameLink(token, new Date()), {
      errors: { form: "The name on record has changed since you opened this page. Look at it again." },
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The API's message is written for the organisation.
    const message =
      error.code === "credential_exists"
        ? `${link.organisation} has issued this credential to you already. Ask them, if you do not have it.`
        : `${link.organisation} cannot issue it to you at the moment. Tell them: nothing is lost, and they can look into it.`;
    return show(page, link, { errors: { form: message } });
  }
});

async function correct(page: PageRequest, link: NameLink, form: Entered): Promise<PageReply> {
  const visitor = await page.visitor();
  const { name = "", note = "" } = form;
  let outcome;
  try {
    outcome = await requestCorrection(visitor, { token: tokenOf(page), name, note });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "invalid_request") throw error;
    const message = "Use plain text on one line, at most 300 characters for the name and 500 for the rest.";
    return show(page, link, { entered: form, errors: { name: message } });
  }
  if (outcome === "unchanged")
    return show(page, link, { entered: form, errors: { name: "That is the name shown above. Confirm it instead." } });
  if (outcome === "asked") return seeOther(`/confirm/${tokenOf(page)}`);
  // If the request was decided meanwhile, for example on another device, the typed text is shown again instead of being
  // lost.
  const message =
    outcome === "waiting"
      ? "An earlier wish of yours waits for a decision. This one was not sent."
      : "This was decided before your wish arrived, so it was not sent.";
  return show(page, await findNameLink(tokenOf(page), new Date()), { entered: form, errors: { form: message } });
}

const tokenOf = ({ params }: PageRequest) => params["token"] ?? "";

async function show(
  { pages, params, language }: PageRequest,
  link: NameLink | null,
  refused?: Refused,
): Promise<PageReply> {
  if (!link) return { status: 404, html: pages.unknownConfirmPage() };
  const html = pages.confirmPage({
    token: params["token"] ?? "",
    link: { ...link, region: { ...link.region, locale: localeIn(language, link.region.locale) } },
    entered: refused?.entered ?? {},
    errors: refused?.errors ?? {},
  });
  return refused ? { status: 400, html, refused } : { status: link.state === "expired" ? 410 : 200, html };
}
