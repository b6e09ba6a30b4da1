import type { ComponentProps } from "react";

/**
 * A link between public pages that loads the page from the service, always. next/link would load it ahead, which counts
 * as a look at the credential, and would show an answer again that the router kept.
 */
export function PageLink({ children, ...rest }: ComponentProps<"a">) {
  return <a {...rest}>{children}</a>;
}
