"use client";
import { SearchField } from "@heroui/react";
import { useEffect, useState } from "react";

interface Props {
  label: string;
  placeholder: string;
  value: string;
  /** Called when typing pauses, or at once with Enter or when cleared. */
  onChange(value: string): void;
  className?: string;
}

export function SearchBox({ label, placeholder, value, onChange, className = "" }: Props) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  // The value can change from outside: the back button, a cleared filter.
  if (value !== given) {
    setGiven(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), 250);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <SearchField
      aria-label={label}
      value={typed}
      onChange={setTyped}
      onSubmit={onChange}
      onClear={() => onChange("")}
      className={className}
    >
      <SearchField.Group className="h-8 w-full">
        <SearchField.SearchIcon />
        <SearchField.Input placeholder={placeholder} />
        <SearchField.ClearButton aria-label="Clear search" />
      </SearchField.Group>
    </SearchField>
  );
}
