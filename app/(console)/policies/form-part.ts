import type { Entered } from "./entered";

/** A part of the fields of a policy's form. */
export interface FormPart {
  form: Entered;
  onChange(fields: Partial<Entered>): void;
}
