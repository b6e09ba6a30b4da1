import { getCsrfToken, signOut } from "next-auth/react";

/** Ends this session and leads to the sign-in page. */
export async function leave(): Promise<void> {
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
}

/**
 * Works in another of one's organisations from now on. The page is loaded anew, so that nothing of the last one stays
 * on it.
 */
export async function enterOrganisation(orgId: string): Promise<void> {
  const csrfToken = await getCsrfToken();
  await fetch("/api/auth/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, data: { orgId } }),
  });
  window.location.assign("/");
}
