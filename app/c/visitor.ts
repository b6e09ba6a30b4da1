import { headers } from "next/headers";
import { addressBlock } from "@/server/core/address-block";
import { clientAddress } from "@/server/http/rest/client-address";
import { consumeAddress } from "@/server/http/rest/rate-limit";
import type { Look } from "@/server/verification/verify-code";
import type { Asked } from "@/server/verification/verify-document";
import { viewerOf } from "@/server/verification/viewer";

/**
 * Who looks at a public page.
 * @throws DomainError rate_limited, as the public API.
 */
export async function visitorsLook(): Promise<Look> {
  const sent = await headers();
  const address = clientAddress({ headers: sent });
  await consumeAddress(address);
  return { via: "page", viewer: viewerOf(address, sent.get("user-agent")), now: new Date(), isVisit: isVisit(sent) };
}

/**
 * Who hands in a document, and when.
 * @throws DomainError `rate_limited`, as the public API.
 */
export async function visitorAsks(): Promise<Asked> {
  const look = await visitorsLook();
  return { caller: addressBlock(clientAddress({ headers: await headers() })), look };
}

/**
 * Whether somebody goes to the page. Browsers name what they load ahead (Sec-Purpose) and what scripts ask for
 * (Sec-Fetch-Mode).
 */
function isVisit(sent: Headers): boolean {
  const purpose = `${sent.get("sec-purpose") ?? ""} ${sent.get("purpose") ?? ""}`;
  return !purpose.includes("prefetch") && (sent.get("sec-fetch-mode") ?? "navigate") === "navigate";
}
