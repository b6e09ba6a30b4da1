import { NextResponse, type NextRequest } from "next/server";
import { formatCode, readCode } from "@/server/credentials/code";
import { codeExists } from "@/server/verification/find-by-code";

// QR codes hold the address in capitals, which their alphanumeric mode needs.
export const config = { matcher: ["/c/:code", "/C/:code"] };

/**
 * Sends the reader of /c/{code} to the one address of that credential, and answers 404 for a code that does not exist. The page
 * could not: Next sends a 404 of a page as an empty document that scripts fill.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const code = readCode(pathname.slice("/c/".length));
  if (!code || !(await codeExists(code))) return NextResponse.rewrite(new URL("/c/unknown", request.url), { status: 404 });
  const address = `/c/${formatCode(code)}`;
  return pathname === address ? NextResponse.next() : NextResponse.redirect(new URL(address, request.url), 308);
}
