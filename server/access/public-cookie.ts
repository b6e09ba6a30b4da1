import { env } from "@/server/core/env";

/** The proved address of a claim, the session of the holder's home, and a refused form to be shown once. */
type PublicCookie = "claim" | "home" | "form";

const isSecure = () => env().PUBLIC_URL.startsWith("https://");

/** A cookie of the public forms. Browsers accept a __Host- cookie only from this host over https. */
export const publicCookieName = (name: PublicCookie): string => `${isSecure() ? "__Host-" : ""}bonafide.${name}`;

/** The header that sets a cookie of the public forms; null removes it. @param maxAge in seconds */
export function publicCookie(name: PublicCookie, value: string | null, maxAge: number): string {
  const secure = isSecure() ? "; Secure" : "";
  return `${publicCookieName(name)}=${value ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${value === null ? 0 : maxAge}${secure}`;
}
