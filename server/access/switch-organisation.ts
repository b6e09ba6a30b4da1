import { transaction } from "@/server/core/transaction";
import { audit } from "./audit";
import { liveSession, type SessionClaims } from "./console-session";
import { admitted, type Visitor } from "./visitor";

/** The claims of the same session in another of the person's organisations; null where they are no member there. Leaves an audit entry there. */
export async function switchOrganisation(visitor: Visitor, claims: SessionClaims, orgId: string): Promise<SessionClaims | null> {
  const session = await liveSession({ ...claims, orgId });
  if (!session?.current) return null;
  const { user } = session;
  await transaction((tx) => audit(admitted(visitor, tx, orgId, user.id), "session.entered", { type: "user", id: user.id }));
  return { ...claims, orgId };
}
