import { z } from "zod";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { visitorCommand } from "@/server/core/operation";
import { audit } from "./audit";
import { liveSession, sessionClaims, type SessionClaims } from "./console-session";
import { requireLiveSession } from "./session-stands";
import { admitted } from "./visitor";

/**
 * Switches a session to another organisation of the person and returns its new claims; null if they are not a member
 * there. Leaves an audit entry there.
 */
export const switchOrganisation = visitorCommand({
  name: "sessions.enter",
  input: z.object({ claims: sessionClaims, orgId: id("org") }),
  prepare: (_, { claims, orgId }) => liveSession({ ...claims, orgId }),
  async run(visitor, tx, { claims, orgId }, session): Promise<SessionClaims | null> {
    if (!session?.current) return null;
    await requireLiveSession(tx, session, new Date());
    await audit(admitted(visitor, tx, orgId, session.user.id), "session.entered", {
      type: "user",
      id: publicId("usr", session.user.id),
    });
    return { ...claims, orgId };
  },
});
