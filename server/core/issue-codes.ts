/**
 * The closed table of errors of one part of an input: `errors[].code` of a problem document, for programs. People read
 * `errors[].message`. Codes are added, never renamed.
 */
export const issueCodes = {
  invalid_type: "It is missing, or has the wrong type.",
  invalid_value: "It is not one of the allowed values.",
  invalid_format: "It does not have the required format.",
  invalid_date: "The template shows this value as a date, but it is not a date.",
  invalid_datetime: "The template shows this value as a time, but it is not a time.",
  invalid_number: "The template shows this value as a number, but it is not a number.",
  invalid_union: "It matches none of the alternatives.",
  invalid_key: "An object has a name that is not allowed.",
  invalid_element: "A list or set holds an item that is not allowed.",
  too_small: "It is too small, too short, or has too few items.",
  too_big: "It is too large, too long, too deep, or has too many items.",
  not_multiple_of: "It is not a multiple of the required number.",
  unknown_field: "There is no such field or query parameter here.",
  repeated: "It occurs more than once, but is allowed only once.",
  exclusive: "It cannot be sent together with another field.",
  not_supported: "It has no effect here and would be ignored.",
  inexact_number: "A number that cannot be stored exactly, such as one beyond 2^53. Send it as a string.",
  unstorable_text: "A text with a character that cannot be stored, such as NUL or half of a surrogate pair.",
  past: "It must be in the future.",
  future: "It must not be in the future.",
  too_early: "It must be later than another time in the input.",
  weak: "The password is easy to guess.",
  personal: "The password contains something that others know about its owner.",
  not_found: "It names something that is not in this organisation.",
  wrong_kind: "It names something of the wrong kind.",
  image_size: "The picture has too few or too many pixels.",
} as const;

export type IssueCode = keyof typeof issueCodes;

export const issueCodeNames = Object.keys(issueCodes) as [IssueCode, ...IssueCode[]];

export const isIssueCode = (code: unknown): code is IssueCode =>
  typeof code === "string" && Object.hasOwn(issueCodes, code);
