import { timingSafeEqual } from "node:crypto";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { lookUp } from "@/server/core/look-up";
import { passColumns, type PassRow } from "./pass-row";
import { openPassToken } from "./sealed";

/** The identifiers of a pass in the path of a phone's request. */
export interface PassPath {
  passTypeId: string;
  serial: string;
}

export interface FoundPass extends PassRow {
  code: string;
}

/**
 * Finds a pass and checks the token that a phone sends for it.
 * @param authorization the header, "ApplePass " and the authenticationToken of the pass
 * @throws DomainError invalid_token, also if the pass does not exist
 */
export async function findPass({ passTypeId, serial }: PassPath, authorization: string | null): Promise<FoundPass> {
  const [found] = await lookUp<FoundPass>(
    sql,
    `SELECT ${passColumns}, c.code FROM apple_passes p JOIN credentials c ON c.org_id = p.org_id AND c.id = p.credential_id
     WHERE p.serial = $1 AND p.pass_type_id = $2`,
    [serial, passTypeId],
  );
  const given = /^ApplePass (\S{1,200})$/i.exec(authorization ?? "")?.[1];
  if (found && given !== undefined && isSame(given, openPassToken(found))) return found;
  throw new DomainError("invalid_token", "The pass does not exist, or this is not its token.", {
    headers: { "www-authenticate": "ApplePass" },
  });
}

/**
 * The key of the rate limit of a pass. Checks the token first, so that requests with a wrong token do not use up the
 * holder's requests.
 * @throws DomainError invalid_token
 */
export async function byPass({
  params,
  authorization,
}: {
  params: Record<string, string>;
  authorization: string | null;
}): Promise<string> {
  return (await findPass({ passTypeId: params["passType"]!, serial: params["serial"]! }, authorization)).serial;
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
