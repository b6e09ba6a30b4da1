import { env } from "@/server/core/env";

const isSecure = () => env().PUBLIC_URL.startsWith("https://");

/** A cookie of the public forms. A __Host- cookie is taken over https from this host alone (RFC 6265bis). */
export const publicCookieName = (name: "claim" | "home"): string => `${isSecure() ? "__Host-" : ""}bonafide.${name}`;

/** The header that sets a cookie of the public forms; null removes it. @param maxAge in seconds */
export function publicCookie(name: "claim" | "home", value: string | null, maxAge: number): string {
  const secure = isSecure() ? "; Secure" : "";
  return `${publicCookieName(name)}=${value ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${value === null ? 0 : maxAge}${secure}`;
}
