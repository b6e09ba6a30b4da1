/**
 * Thrown where something was looked at and is wrong: a signature that does not fit, a list that is too short. The
 * message is a sentence for people.
 */
export class Invalid extends Error {}

/**
 * Thrown where something could not be looked at: a host that does not answer, a method that is not known here. Never a
 * pass.
 */
export class Unverifiable extends Error {}

/**
 * What `error` says to people. An error that is neither of ours is a fault of a library on hostile input, and counts as
 * Invalid.
 */
export function asFailure(error: unknown, otherwise: string): Invalid | Unverifiable {
  if (error instanceof Invalid || error instanceof Unverifiable) return error;
  return new Invalid(otherwise, { cause: error });
}
