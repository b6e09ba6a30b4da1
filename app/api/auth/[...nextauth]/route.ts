import NextAuth from "next-auth";
import { authOptions } from "@/server/http/console-auth";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in, sign-out, the session and its organisation. The options need the configuration, which a build does not have. */
const handler = (request: Request, context: Context): Promise<Response> => NextAuth(request as never, context as never, authOptions(request)) as Promise<Response>;

export { handler as GET, handler as POST };
