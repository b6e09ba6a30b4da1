import { sql } from "@/server/core/db";
import { lookUp } from "@/server/core/look-up";

/** The answer to a phone that asks which of its passes changed. */
export interface ChangedPasses {
  serialNumbers: string[];
  /** The tag that the phone sends next time. */
  lastUpdated: string;
}

/**
 * Lists the passes of a phone that changed since `tag`, or all of them without a tag (Wallet Passes, "Get the List of
 * Updatable Passes"). Null if none changed. Apple defines no token for this request: knowing the device id authorises it.
 */
export async function changedPasses(
  { deviceId, passTypeId }: { deviceId: string; passTypeId: string },
  tag: string | undefined,
): Promise<ChangedPasses | null> {
  const since = tag !== undefined && /^\d{1,15}$/.test(tag) ? Number(tag) : null;
  const rows = await lookUp<{ serial: string; revision: number }>(
    sql,
    `SELECT p.serial, p.revision FROM apple_devices d JOIN apple_passes p ON p.org_id = d.org_id AND p.credential_id = d.credential_id
     WHERE d.device_id = $1 AND d.pass_type_id = $2 AND p.pass_type_id = $2 AND ($3::bigint IS NULL OR p.revision > $3) ORDER BY p.revision, p.serial LIMIT 1000`,
    [deviceId, passTypeId, since],
  );
  const last = rows.at(-1);
  return last ? { serialNumbers: rows.map(({ serial }) => serial), lastUpdated: String(last.revision) } : null;
}
