import { AppleAuthority } from "./authority";

/** Certificates that an organisation can enter for Apple Wallet. Their authority is closed afterwards. */
export async function appleCertificates(): Promise<{ certificate: string; privateKey: string; wwdr: string }> {
  const authority = await AppleAuthority.create();
  const issued = await authority.issue();
  await authority.close();
  return { ...issued, wwdr: authority.wwdr };
}
