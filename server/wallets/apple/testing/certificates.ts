import { AppleAuthority } from "./authority";

/** What an organisation enters for Apple Wallet, of an authority that is gone. */
export async function appleCertificates(): Promise<{ certificate: string; privateKey: string; wwdr: string }> {
  const authority = await AppleAuthority.create();
  const issued = await authority.issue();
  await authority.close();
  return { ...issued, wwdr: authority.wwdr };
}
