import { domainToASCII } from "node:url";
import { z } from "zod";
import { deceives } from "./input";

// RFC 5321 and 6531: letters and digits of any script, and the marks that an address may hold unquoted.
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** Whether a text is an e-mail address, in ASCII or in any script (internationalised domain, UTF-8 before the @). */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || deceives(text) || !localPart.test(local)) return false;
  const labels = domainToASCII(domain).split(".");
  // The URL standard drops or maps some characters without a word, and takes a number for an IP address.
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && labels.length > 1 && labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1)!);
}

const checked = (text: z.ZodString) => text.trim().normalize("NFC").max(320).refine(isEmailAddress, "must be an e-mail address such as ada@example.edu");

/** An e-mail address as it is kept: in Unicode's composed form, as people write it. */
export const emailAddress = checked(z.string());

/** The same of somebody who signs in, which is compared: in lower case. */
export const accountEmail = checked(z.string().toLowerCase());
