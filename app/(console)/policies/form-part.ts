import type { Entered } from "./entered";

/** Some fields of the form of a policy. */
export interface FormPart {
  form: Entered;
  onChange(fields: Partial<Entered>): void;
}
