"use client";
import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "theme";
const listeners = new Set<() => void>();

function read(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function apply(): void {
  const theme = read();
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  listeners.add(listener);
  system.addEventListener("change", apply);
  window.addEventListener("storage", apply);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", apply);
    window.removeEventListener("storage", apply);
  };
}

/** The theme that was chosen in this browser, kept in sync between its tabs. */
export function useTheme(): { theme: Theme; setTheme(theme: Theme): void } {
  const theme = useSyncExternalStore(subscribe, read, () => "system" as const);
  return {
    theme,
    setTheme(next) {
      localStorage.setItem(key, next);
      apply();
    },
  };
}
