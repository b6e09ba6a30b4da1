"use client";
import { createContext, useContext, type ReactNode } from "react";

export interface RuleError {
  /** A JSON pointer from the form, such as /rule/all/0/value. */
  pointer: string;
  message: string;
}

const Errors = createContext<readonly RuleError[]>([]);

/** Tells the parts of a rule what is wrong with them. */
export function RuleErrors({ value, children }: { value: readonly RuleError[]; children: ReactNode }) {
  return <Errors value={value}>{children}</Errors>;
}

/** What is wrong at a pointer or below it, as sentences without the names that the API has for the place. */
export function useErrorsAt(pointer: string): string[] {
  const errors = useContext(Errors);
  const found = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
  return [...new Set(found.map(sentence))];
}

/** What is wrong with a part itself, not with the parts within it. */
export function useErrorsOf(pointer: string): string[] {
  const errors = useContext(Errors);
  return errors.filter((error) => error.pointer === pointer).map(sentence);
}

function sentence({ pointer, message }: RuleError): string {
  const name = pointer.slice(1).replaceAll("/", ".");
  const said = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
