import { call } from "@/server/testing/request";
import type { Design } from "@/server/templates/design";
import { cardDesign as card, holderOf } from "../../testing/holder";
import type { AppleAuthority, Subject } from "./authority";

export const cardDesign: Design = { ...card, wallet: { apple: true } };

/** An organisation with a certificate for Apple Wallet, and the holder of one of its credentials. */
export async function holder(authority: AppleAuthority, some: { design?: Design; issued?: Subject } = {}) {
  const made = await holderOf(some.design ?? cardDesign);
  const issued = await authority.issue(some.issued);
  const configured = await call("PUT", "/v1/organisation/apple_wallet", {
    token: made.token,
    body: { ...issued, wwdr: authority.wwdr },
  });
  if (configured.status !== 200) throw new Error(configured.text);
  return {
    ...made,
    issued,
    download: () => call("GET", `/public/credentials/${made.credential.code}/wallet/apple`),
  };
}
