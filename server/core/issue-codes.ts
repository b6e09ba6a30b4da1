/**
 * The closed table of errors of one part of an input: `errors[].code` of a problem document, for programs. People read
 * `errors[].message`. Codes are added, never renamed.
 */
export const issueCodes = {
  invalid_type: "It is missing, or of another type than asked for.",
  invalid_value: "It is none of the values that are taken here.",
  invalid_format: "It does not have the form that is needed.",
  invalid_date: "The template shows this value as a date, and it is none.",
  invalid_datetime: "The template shows this value as a time, and it is none.",
  invalid_number: "The template shows this value as a number, and it is none.",
  invalid_union: "It fits none of the alternatives.",
  invalid_key: "An object has a name that is not allowed.",
  invalid_element: "A list or set holds an item that is not allowed.",
  too_small: "It is too small, too short, or has too few items.",
  too_big: "It is too large, too long, too deep, or has too many items.",
  not_multiple_of: "It is not a multiple of the number that is asked for.",
  unknown_field: "There is no such field or query parameter here.",
  repeated: "It stands there more than once, and may do so once.",
  exclusive: "It cannot be sent together with another field.",
  not_supported: "It is not asked here and would be ignored.",
  inexact_number: "A number that cannot be kept exactly, such as one beyond 2^53. Send it as a string.",
  unstorable_text: "A text with a character that cannot be stored, such as NUL or half of a surrogate pair.",
  past: "It must be in the future.",
  future: "It must not be in the future.",
  too_early: "It must be later than another time in the input.",
  weak: "The password is easy to guess.",
  personal: "The password holds something that others know of its owner.",
  not_found: "It names something that is not in this organisation.",
  wrong_kind: "It names something of another kind than is needed here.",
  image_size: "The picture has too few or too many pixels.",
} as const;

export type IssueCode = keyof typeof issueCodes;

export const issueCodeNames = Object.keys(issueCodes) as [IssueCode, ...IssueCode[]];

export const isIssueCode = (code: unknown): code is IssueCode =>
  typeof code === "string" && Object.hasOwn(issueCodes, code);
