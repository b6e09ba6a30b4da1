import type { Metadata } from "next";
import type { ReactNode } from "react";

// Here and not in the page: with the status 404, Next leaves out what the page says of itself.
export const metadata: Metadata = { title: "Unknown code", robots: { index: false } };

export default function UnknownLayout({ children }: { children: ReactNode }) {
  return children;
}
