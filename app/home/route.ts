import { sendsMail } from "@/server/access/account-mail";
import { publicCookie } from "@/server/access/public-cookie";
import type { Visitor } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { leaveHome } from "@/server/holders/leave";
import { loadHome } from "@/server/holders/load-home";
import { removeAddress } from "@/server/holders/remove-address";
import { requestAddress, requestEntry } from "@/server/holders/request-entry";
import { requestName } from "@/server/holders/request-name";
import { cookieOf, formPage, readForm, refusedBefore, seeOther } from "../c/form-page";
import type { PageReply, PageRequest } from "../c/public-page";

type Entered = Record<string, string>;
type Refused = { id: string; entered: Entered; errors: Entered };

/** The confirmations after each step, by the query parameter of the redirect. */
const done: Record<string, string> = {
  name: "The organisation has your request.",
  address: "A link is on its way to that address. Open it there to add the address.",
  removed: "The address leads here no more.",
};

/** Shown after a form that arrived when the session had ended. The form was not processed. */
const over = "/home?done=over";

const noAddress = "Enter an e-mail address, such as ada@example.edu.";

/** Renders the holder's home, or the sign-in page without a session. */
export const GET = formPage(async (page) => {
  await page.visitor();
  const { html } = await show(page, refusedBefore<Refused>(page.request));
  return { status: 200, html };
});

export const POST = formPage(async (page) => {
  const visitor = await page.visitor();
  const form = await readForm(page.request);
  if (form["step"] === "ask") return ask(page, visitor, form);
  const session = cookieOf(page.request, "home");
  if (session === null) return seeOther(form["step"] === "leave" ? "/home" : over);
  switch (form["step"]) {
    case "name":
      return askName(page, visitor, session, form);
    case "address": {
      const asked = await unlessRefused(() => requestAddress(visitor, { session, email: form["email"] ?? "" }));
      if ("value" in asked && asked.value !== "own")
        return seeOther(asked.value === "over" ? over : "/home?done=address");
      const email = "refusal" in asked ? asked.refusal : "You entered with this address. Enter another one.";
      return show(page, { id: "address", entered: form, errors: { email } });
    }
    case "remove":
      await removeAddress(visitor, { session, email: form["email"] ?? "" });
      return seeOther("/home?done=removed");
    default:
      await leaveHome(visitor, { session });
      return seeOther("/home", publicCookie("home", null, 0));
  }
});

async function ask(page: PageRequest, visitor: Visitor, form: Entered): Promise<PageReply> {
  const asked = await unlessRefused(() => requestEntry(visitor, { email: form["email"] ?? "" }));
  if (!("refusal" in asked)) return seeOther("/home?done=sent");
  return show(page, { id: "door", entered: form, errors: { email: asked.refusal } });
}

async function askName(page: PageRequest, visitor: Visitor, session: string, form: Entered): Promise<PageReply> {
  const { subjectId = "", name = "", note = "" } = form;
  let outcome;
  try {
    outcome = await requestName(visitor, { session, subjectId, name, note });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "invalid_request") throw error;
    const error400 = "Use plain text on one line, at most 300 characters for the name and 500 for the rest.";
    return show(page, { id: subjectId, entered: form, errors: { name: error400 } });
  }
  if (outcome === "unchanged")
    return show(page, { id: subjectId, entered: form, errors: { name: "That is the name on record already." } });
  if (outcome === "waiting")
    return show(page, {
      id: subjectId,
      entered: form,
      errors: { name: "An earlier wish of yours waits for a decision. This one was not sent." },
    });
  return seeOther(outcome === "unknown" ? over : "/home?done=name");
}

/**
 * Returns the result of adding an address, or the message why it was refused.
 *
 * @throws errors that the page does not explain
 */
async function unlessRefused<Value>(act: () => Promise<Value>): Promise<{ value: Value } | { refusal: string }> {
  try {
    return { value: await act() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "invalid_request") return { refusal: noAddress };
    if (error.code === "rate_limited") return { refusal: error.message };
    throw error;
  }
}

async function show(page: PageRequest, refused: Refused | null): Promise<PageReply> {
  const asked = new URL(page.request.url).searchParams.get("done") ?? "";
  // A person who requests a link is not signed in, or wants to sign in as somebody else.
  const home =
    refused?.id === "door" ? null : await loadHome(cookieOf(page.request, "home"), new Date(), page.language);
  const { entered = {}, errors = {} } = refused ?? {};
  const html = home
    ? page.pages.homePage({
        home,
        done: (!refused && done[asked]) || null,
        refused,
      })
    : page.pages.homeDoorPage({
        sendsMail: sendsMail(),
        hasSent: asked === "sent" && !refused,
        isOver: asked === "over" && !refused,
        entered,
        errors,
      });
  return refused ? { status: 400, html, refused } : { status: 200, html };
}
