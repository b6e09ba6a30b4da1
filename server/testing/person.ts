import { encode } from "next-auth/jwt";
import { sessionCookie, sessionSecret } from "@/server/access/console-session";
import type { Role } from "@/server/access/roles";
import { signIn } from "@/server/access/sign-in";
import type { SignedIn } from "@/server/access/start-session";
import type { Visitor } from "@/server/access/visitor";
import { newId, newPublicId } from "@/server/core/ids";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { inviteMember } from "@/server/organisations/invite-member";
import { listMembers } from "@/server/organisations/list-members";
import { sql } from "@/server/testing/sql";
import type { World } from "./world";

export const password = "correct horse battery";

/** Returns a visitor with a separate address, so that one test's wrong passwords do not throttle another's. */
export function visitor(now = new Date()): Visitor {
  return { address: `test-${newPublicId("req")}`, requestId: newPublicId("req"), now };
}

export const tokenIn = (url: string | null) => new URL(url!).searchParams.get("token")!;

/** Creates a person who was invited to the organisation, accepted, verified their address and signed in. */
export async function person({ ctx }: Pick<World, "ctx">, role: Role, email = `${newId("usr")}@example.edu`) {
  const { url } = await inviteMember(ctx, { email, role });
  await acceptInvitation(visitor(), { token: tokenIn(url), password });
  await sql(`UPDATE users SET email_verified_at = now() WHERE email = $1`, [email]);
  const { data } = await listMembers(ctx, {});
  const claims = await signIn(visitor(), { email, password });
  return {
    email,
    memberId: data.find((member) => member.email === email)!.id,
    claims,
    headers: await headersOf(claims),
  };
}

/** Returns the headers of a browser in which this session continues. */
export async function headersOf(claims: SignedIn): Promise<Headers> {
  const token = await encode({ token: { ...claims }, secret: sessionSecret(), maxAge: 60 });
  return new Headers({ cookie: `other=1; ${sessionCookie().name}=${token}` });
}
