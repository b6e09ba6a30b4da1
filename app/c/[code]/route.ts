import { findPublicFiles } from "@/server/badges/public-facts";
import { env } from "@/server/core/env";
import { formatCode, readCode } from "@/server/credentials/code";
import { loadPublicPage } from "@/server/verification/public-page";
import { findWalletOffers, noWallets } from "@/server/wallets/public-offers";
import { orNull, publicPage } from "../public-page";

/** The page of a credential. Another spelling of its code is redirected to the canonical address. */
export const GET = publicPage(async ({ request, params, pages, context }) => {
  const typed = params["code"] ?? "";
  const code = readCode(decoded(typed));
  // Texts that cannot be codes are looked up as well, so that every miss takes the same time.
  const page = await orNull(loadPublicPage(code ?? "", context()));
  if (!page || code === null) return { status: 404, html: pages.unknownPage() };
  const address = formatCode(code);
  if (typed !== address)
    return { status: 308, html: null, headers: { location: `/c/${address}${new URL(request.url).search}` } };
  const hasFiles = page.verification.credential.kind === "academic" && (await findPublicFiles(code)) !== null;
  const { wallet } = page.design;
  const isOffered = (wallet?.apple || wallet?.google) && page.verification.result === "valid";
  const wallets = isOffered ? await findWalletOffers(code, new Date()) : noWallets;
  const origin = new URL(env().PUBLIC_URL).origin;
  return { status: 200, html: pages.credentialPage({ page, hasFiles, wallets, origin }) };
});

function decoded(typed: string): string {
  try {
    return decodeURIComponent(typed);
  } catch {
    return "";
  }
}
