import type { ComponentProps } from "react";

/**
 * A link between public pages that always loads the page from the service. next/link would preload the page, which
 * counts as a view of the credential, and could show an outdated answer from the router's cache.
 */
export function PageLink({ children, ...rest }: ComponentProps<"a">) {
  return <a {...rest}>{children}</a>;
}
