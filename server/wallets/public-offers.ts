import { sql } from "@/server/core/db";
import { lookUp } from "@/server/core/look-up";
import { readCode } from "@/server/credentials/code";

/** For which wallets the public page of a credential shows a button. */
export interface WalletOffers {
  apple: boolean;
  google: boolean;
}

export const noWallets: WalletOffers = { apple: false, google: false };

/** Finds the wallets that the template of a credential offers and its organisation has configured. */
export async function findWalletOffers(code: string, now: Date): Promise<WalletOffers> {
  const [row] = await lookUp<WalletOffers>(
    sql,
    `SELECT coalesce((v.design #> '{wallet,apple}')::boolean, false)
       AND EXISTS (SELECT FROM apple_wallet_settings a WHERE a.org_id = c.org_id AND a.certificate_expires_at > $2 AND a.wwdr_expires_at > $2) AS apple,
       coalesce((v.design #> '{wallet,google}')::boolean, false) AND EXISTS (SELECT FROM google_wallet_settings g WHERE g.org_id = c.org_id) AS google
     FROM credentials c JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id WHERE c.code = $1`,
    [readCode(code) ?? "", now],
  );
  return row ?? noWallets;
}
