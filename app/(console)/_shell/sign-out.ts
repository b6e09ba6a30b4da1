import { getCsrfToken, signOut } from "next-auth/react";

/** Ends this session and opens the sign-in page. */
export async function leave(): Promise<void> {
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
}

/**
 * Switches to another of the reader's organisations. Loads the page anew, so that it shows nothing of the previous
 * organisation.
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
