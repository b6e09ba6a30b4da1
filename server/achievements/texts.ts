import { z } from "zod";
import { line } from "@/server/core/input";
import { deceives } from "@/server/core/deceptive-text";
import { isUrl } from "@/server/standards/vcdm/forms";

/** Text with line breaks, trimmed, of limited length. Refuses characters that make it look like another text. */
export const paragraphs = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max)
    .regex(/^(?:[^\p{Cc}]|[\n\r\t])*$/u, "must not contain control characters other than line breaks")
    .refine((text) => !deceives(text), "must not contain invisible characters; type it again without them");

/** Text on one line that is not empty. */
export const named = (max: number) => line(max).min(1, "must not be empty");

/**
 * An address that people can open and that can be signed. Verifiers would call any address that this schema refuses
 * malformed.
 */
export const url = z
  .string()
  .max(2000)
  .refine(
    isWebAddress,
    'must be a URL that begins with https:// or http://, without spaces and without any of <>"{}|\\^`',
  )
  .meta({ format: "uri" });

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^/]/.test(value) && isUrl(value) && !deceives(value);
}
