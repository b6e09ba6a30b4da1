import { findProof } from "@/server/access/address-proof";
import { publicCookie } from "@/server/access/public-cookie";
import { sql } from "@/server/core/db";
import { enterHome } from "@/server/holders/enter";
import { holderSessionMs } from "@/server/holders/session";
import { formPage, readForm, seeOther } from "../../c/form-page";

/** The page that a mailed link opens. */
export const GET = formPage(async (page) => {
  await page.visitor();
  const token = (new URL(page.request.url).searchParams.get("token") ?? "").slice(0, 200);
  const proof = await findProof(sql, token, new Date(), "home");
  return { status: proof ? 200 : 410, html: page.pages.homeEntryPage({ token, isOver: !proof }) };
});

/** Handles the button of that page, which redeems the link. */
export const POST = formPage(async (page) => {
  const visitor = await page.visitor();
  const { token = "" } = await readForm(page.request);
  const entered = await enterHome(visitor, { token: token.slice(0, 200) });
  return entered
    ? seeOther("/home", publicCookie("home", entered.session, holderSessionMs / 1000))
    : { status: 410, html: page.pages.homeEntryPage({ token: "", isOver: true }) };
});
