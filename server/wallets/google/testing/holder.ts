import { call } from "@/server/testing/request";
import type { Design } from "@/server/templates/design";
import { cardDesign, holderOf } from "../../testing/holder";
import { standIn } from "./stand-in";

export const googleDesign: Design = { ...cardDesign, wallet: { google: true } };

/** An organisation with a service account for Google Wallet, and the holder of one of its credentials. */
export async function googleHolder(design: Design = googleDesign) {
  const google = await standIn();
  const account = google.account();
  const made = await holderOf(design);
  const { issuerId, serviceAccount } = account;
  const configure = () =>
    call("PUT", "/v1/organisation/google_wallet", { token: made.token, body: { issuerId, serviceAccount } });
  const configured = await configure();
  if (configured.status !== 200) throw new Error(configured.text);
  return {
    ...made,
    google,
    ...account,
    configure,
    open: () => call("GET", `/public/credentials/${made.credential.code}/wallet/google`),
    /** The pass as stored at the stand-in for Google. */
    object: () =>
      google.objects.get([...google.objects.keys()].find((id) => id.startsWith(`${issuerId}.`)) ?? "") as
        | Record<string, any>
        | undefined,
  };
}
