import { signIn } from "next-auth/react";

export type SignInOutcome = "signed_in" | "wrong" | "rate_limited" | "unreachable";

/** Begins a session of the console. */
export async function signInWith(email: string, password: string): Promise<SignInOutcome> {
  const answer = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  if (!answer) return "unreachable";
  if (answer.ok) return "signed_in";
  if (answer.error === "CredentialsSignin") return "wrong";
  return answer.error === "rate_limited" ? "rate_limited" : "unreachable";
}
