import { publicCookie } from "@/server/access/public-cookie";
import { declineAddress } from "@/server/holders/decline-address";
import { enterHome } from "@/server/holders/enter";
import { loadEntry } from "@/server/holders/load-entry";
import { loadHome } from "@/server/holders/load-home";
import { holderSessionMs } from "@/server/holders/session";
import { cookieOf, formPage, readForm, seeOther } from "../../c/form-page";

/** Opens a mailed link. A reader who is signed in already and opens a used link is sent home. */
export const GET = formPage(async (page) => {
  await page.visitor();
  const { searchParams } = new URL(page.request.url);
  const token = (searchParams.get("token") ?? "").slice(0, 200);
  const now = new Date();
  const entry = await loadEntry(token, now);
  if (!entry && !searchParams.has("declined") && (await loadHome(cookieOf(page.request, "home"), now)))
    return seeOther("/home");
  return {
    status: entry || searchParams.has("declined") ? 200 : 410,
    html: page.pages.homeEntryPage({ token, entry, isDeclined: searchParams.has("declined") }),
  };
});

/** The form actions of that page. */
export const POST = formPage(async (page) => {
  const visitor = await page.visitor();
  const { token = "", answer } = await readForm(page.request);
  if (answer === "no") {
    await declineAddress(visitor, { token: token.slice(0, 200) });
    return seeOther("/home/enter?declined");
  }
  const entered = await enterHome(visitor, { token: token.slice(0, 200) });
  return entered
    ? seeOther("/home", publicCookie("home", entered.session, holderSessionMs / 1000))
    : { status: 410, html: page.pages.homeEntryPage({ token: "", entry: null, isDeclined: false }) };
});
