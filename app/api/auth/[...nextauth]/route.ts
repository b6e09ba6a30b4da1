import NextAuth from "next-auth";
import { authOptions } from "@/server/http/console-auth";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in, sign-out, the session and its organisation. The options need the configuration, which a build does not have. */
async function handler(request: Request, context: Context): Promise<Response> {
  const cookies: string[] = [];
  const response = (await NextAuth(request as never, context as never, authOptions(request, (header) => cookies.push(header)))) as Response;
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

export { handler as GET, handler as POST };
