import { signIn } from "next-auth/react";

export type SignInOutcome =
  | "signed_in"
  | "second_factor"
  | "wrong"
  | "wrong_factor"
  | "expired"
  | "rate_limited"
  | "unreachable";

/** Signs in to the console. Returns `second_factor` if the sign-in page has to ask for a second step. */
export function signInWith(email: string, password: string): Promise<SignInOutcome> {
  return answer({ email, password });
}

/**
 * Completes the second step of a sign-in, or a whole sign-in with a passkey. Leave out the answer after single sign-on.
 */
export function completeWith(
  second: { code: string } | { recoveryCode: string } | { passkey: string } | Record<string, never>,
): Promise<SignInOutcome> {
  return answer(second);
}

const outcomes: Record<string, SignInOutcome> = {
  CredentialsSignin: "wrong",
  second_factor_required: "second_factor",
  invalid_second_factor: "wrong_factor",
  sign_in_expired: "expired",
  rate_limited: "rate_limited",
};

async function answer(sent: Record<string, string>): Promise<SignInOutcome> {
  const answered = await signIn("credentials", { ...sent, redirect: false }).catch(() => undefined);
  if (answered?.ok) return "signed_in";
  return outcomes[answered?.error ?? ""] ?? "unreachable";
}
