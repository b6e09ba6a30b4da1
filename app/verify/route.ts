import { publicPage } from "../c/public-page";
import { answerFor, ownHosts } from "./answer";

/** The page on which anyone checks a credential by its code. It uses plain forms, so that it works without scripts. */
export const GET = publicPage(async (page) => {
  const typed = (new URL(page.request.url).searchParams.get("code") ?? "").trim();
  const hosts = ownHosts(page.request);
  const answer = typed === "" ? null : await answerFor(typed, hosts, page);
  return { status: 200, html: page.pages.verifyPage({ answer, typed, ownHosts: hosts }) };
});
