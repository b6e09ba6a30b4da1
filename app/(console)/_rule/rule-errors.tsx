"use client";
import { createContext, useContext, type ReactNode } from "react";
import type { Problem } from "@/components/problem";

export interface RuleError {
  /** A JSON pointer from the form, such as /rule/all/0/value. */
  pointer: string;
  message: string;
  code?: string;
}

/**
 * Removes from a problem the errors within the rule, which its conditions show. The form shows the remaining errors, or
 * says where to look.
 */
export function apartFromRule(problem: Problem | null): { rest: Problem | null; ofRule: readonly RuleError[] } {
  const errors = problem?.errors ?? [];
  const ofRule = errors.filter(({ pointer }) => pointer.startsWith("/rule/"));
  if (!problem || ofRule.length === 0) return { rest: problem, ofRule };
  const others = errors.filter((error) => !ofRule.includes(error));
  if (others.length > 0) return { rest: { ...problem, errors: others }, ofRule };
  const { errors: _, ...told } = problem;
  return {
    rest: { ...told, title: "Nothing was saved", detail: "Mend the condition that is marked below, and save again." },
    ofRule,
  };
}

const Errors = createContext<readonly RuleError[]>([]);

/** Passes its errors to each part of a rule. */
export function RuleErrors({ value, children }: { value: readonly RuleError[]; children: ReactNode }) {
  return <Errors value={value}>{children}</Errors>;
}

/** Returns the errors at a pointer or below it, as sentences without the API's name of the place. */
export function useErrorsAt(pointer: string): string[] {
  const errors = useContext(Errors);
  const found = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
  return [...new Set(found.map(sentence))];
}

/** Returns the errors of a part itself, without those of the parts within it. */
export function useErrorsOf(pointer: string): string[] {
  const errors = useContext(Errors);
  return errors.filter((error) => error.pointer === pointer).map(sentence);
}

function sentence({ pointer, message, code }: RuleError): string {
  if (code === "not_found") return "This group was deleted meanwhile. Remove it, and choose another one.";
  const name = pointer.slice(1).replaceAll("/", ".");
  const said = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
