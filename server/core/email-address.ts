import { domainToASCII } from "node:url";
import { z } from "zod";
import { deceives } from "./deceptive-text";

// RFC 5321 and 6531: letters and digits of any script, and the marks that an address may hold unquoted.
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** Domains that domainToASCII changes at most in case: no Punycode, and the last label begins with a letter. */
const isPlain = /^(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/**
 * The most characters of an address, of its domain (RFC 1035) and of one label. A label never gets shorter when it is
 * written in ASCII.
 */
const maxAddress = 320;
const maxDomain = 253;
const maxLabel = 63;

/** Whether a text is an e-mail address, in ASCII or in any script (internationalised domain, UTF-8 before the @). */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxAddress) return false;
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || deceives(text) || !localPart.test(local)) return false;
  // Writing a label in ASCII takes time that grows with the square of its length, so lengths are checked first.
  if (
    domain.length > maxDomain ||
    domain.split(".").some((each) => each.length > 2 * maxLabel || [...each].length > maxLabel)
  )
    return false;
  const labels = (isPlain.test(domain) ? domain : domainToASCII(domain)).split(".");
  // domainToASCII follows the URL standard, which silently drops or maps some characters and reads a number as an IP
  // address.
  return (
    /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) &&
    labels.length > 1 &&
    labels.every((each) => label.test(each)) &&
    !/^\d+$/.test(labels.at(-1)!)
  );
}

// `abort` skips the following checks, so that the checks whose cost grows with the length run only on short text.
const checked = (text: z.ZodString) =>
  text
    .trim()
    .max(maxAddress, { abort: true })
    .normalize("NFC")
    .refine(isEmailAddress, "must be an e-mail address such as ada@example.edu");

/** An e-mail address as it is stored: in the case in which it was written, in Unicode's composed form (NFC). */
export const emailAddress = checked(z.string());

/** An e-mail address for signing in: in lower case, because it is compared. */
export const accountEmail = checked(z.string().toLowerCase());
