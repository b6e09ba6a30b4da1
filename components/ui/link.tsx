// The one place that wraps it.
// oxlint-disable-next-line no-restricted-imports
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the console. Unlike Next's own link it preloads nothing by default: a list of 25 rows would send a
 * request for each row, and these count towards the rate limit of the person's address.
 */
export function Link({ prefetch = false, ...rest }: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={prefetch} {...rest} />;
}
