import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

type AskOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type MakeOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** The browser provided no passkey: the person closed its window, has no passkey here, or took too long. */
export class PasskeyRefused extends Error {}

/** Lets the browser ask for a passkey. @throws PasskeyRefused. */
export function askPasskey(optionsJSON: AskOptions) {
  return startAuthentication({ optionsJSON }).catch(refuse);
}

/** Lets the browser make a passkey. @throws PasskeyRefused. */
export function makePasskey(optionsJSON: MakeOptions) {
  return startRegistration({ optionsJSON }).catch(refuse);
}

function refuse(error: unknown): never {
  const known = (error as { name?: string }).name === "InvalidStateError";
  throw new PasskeyRefused(
    known
      ? "This device has a passkey for your account already."
      : "The browser gave no passkey. Try again, or use another device.",
    { cause: error },
  );
}
