"use client";
import { Choice, type Option } from "./choice";

interface Props<V extends string> {
  label: string;
  /** The placeholder while nothing is chosen, e.g. "Any status". */
  any: string;
  value: V | null;
  onChange(value: V | null): void;
  options: readonly Option<V>[];
  className?: string;
}

const all = "*";

/** Filters a list by one value, or by none. */
export function Filter<V extends string>({ any, value, onChange, options, className = "", ...rest }: Props<V>) {
  return (
    <Choice<string>
      {...rest}
      compact
      className={`max-sm:w-auto max-sm:min-w-32 max-sm:flex-1 ${className}`}
      value={value ?? all}
      onChange={(chosen) => onChange(chosen === all ? null : (chosen as V))}
      options={[{ value: all, label: any }, ...options]}
    />
  );
}
