"use client";
import { SearchField } from "@heroui/react";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

interface Props {
  label: string;
  placeholder: string;
  value: string;
  /**
   * Called when typing pauses, or at once with Enter or when cleared. Not between a click on a link and the change of the
   * URL: a search that is written to the URL would end that navigation, because Next discards it when the URL changes.
   */
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
  const here = `${usePathname()}?${useSearchParams()}`;
  /** The URL at which a link was followed; null if the text was changed since. */
  const [left, setLeft] = useState<string | null>(null);
  useEffect(() => {
    if (typed === value || left === here) return;
    const timer = setTimeout(() => onChange(typed), 250);
    // On the window, after Next's link has prevented the default. A click that opens a new tab or another site is not
    // prevented, and does not leave the page.
    const follow = ({ defaultPrevented, target }: MouseEvent) => {
      const link = defaultPrevented && (target as Element).closest<HTMLAnchorElement>("a[href]");
      if (link && link.href !== window.location.href) setLeft(here);
    };
    window.addEventListener("click", follow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("click", follow);
    };
  }, [typed, value, onChange, left, here]);
  return (
    <SearchField
      aria-label={label}
      value={typed}
      onChange={(text) => {
        setLeft(null);
        setTyped(text);
      }}
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
