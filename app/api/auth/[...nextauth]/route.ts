import NextAuth from "next-auth";
import { newPublicId } from "@/server/core/ids";
import { authOptions } from "@/server/http/web/console-auth";
import { refuseForeign } from "@/server/http/web/own-origin";
import { problemResponse } from "@/server/http/rest/problem";

type Context = { params: Promise<{ nextauth: string[] }> };

/**
 * Sign-in, sign-out, the session and its organisation. The options need the configuration, which a build does not have.
 */
async function handler(request: Request, context: Context): Promise<Response> {
  if (request.method !== "GET") {
    try {
      refuseForeign(request);
    } catch (error) {
      return problemResponse(error, newPublicId("req"));
    }
  }
  const cookies: string[] = [];
  const response = (await NextAuth(
    request as never,
    context as never,
    authOptions(request, (header) => cookies.push(header)),
  )) as Response;
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

export { handler as GET, handler as POST };
