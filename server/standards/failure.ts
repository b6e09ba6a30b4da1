/**
 * Something was checked and is wrong, such as a signature that does not fit or a list that is too short. The message is
 * a sentence for people.
 */
export class Invalid extends Error {}

/** The key that signed was revoked or has expired. Whether the signature fits does not matter any more. */
export class KeyEnded extends Invalid {}

/**
 * Something could not be checked, such as a host that does not answer or an unknown DID method. It never counts as a
 * pass. The message is a sentence for people.
 */
export class Unverifiable extends Error {}

/**
 * Turns any error into one of ours. Another error was thrown by a library on hostile input, and becomes Invalid with
 * the message `otherwise`.
 */
export function asFailure(error: unknown, otherwise: string): Invalid | Unverifiable {
  if (error instanceof Invalid || error instanceof Unverifiable) return error;
  return new Invalid(otherwise, { cause: error });
}
