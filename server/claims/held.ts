import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { stateAt } from "@/server/credentials/state-sql";
import { liveStates, type CredentialState } from "@/server/credentials/states";
import type { PublicLink } from "./find-link";

/** A credential that a person holds. */
export interface Held {
  /** In its stored form. */
  code: string;
  state: CredentialState;
}

/** Finds the live credential because of which a person cannot get another one of the link's template. */
export async function findHeld(
  query: Query,
  { orgId, templateId, isRepeatable }: Pick<PublicLink, "orgId" | "templateId" | "isRepeatable">,
  subjectId: Id<"sub">,
  now: Date,
): Promise<Held | null> {
  if (isRepeatable) return null;
  const rows = await query<Held>(
    `SELECT c.code, ${stateAt("$4")} AS state FROM credentials c
     WHERE c.org_id = ${opaque("$1")} AND c.subject_id = $2 AND c.template_id = $3 ORDER BY c.id DESC LIMIT 50`,
    [orgId, subjectId, templateId, now],
  );
  return rows.find(({ state }) => liveStates.includes(state)) ?? null;
}
