"use client";
import { useSyncExternalStore } from "react";

/** A request that was not sent because the browser has no connection. Nothing was changed. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** Whether a call failed before anything left the browser. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof Error && (error instanceof NotSent || wasNotSent(error.cause));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the browser has a connection, as far as it knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
