import { env } from "@/server/core/env";

/**
 * Whether this service names a part of its academic credentials by the address: an achievement and what belongs to it,
 * or a status list.
 */
export function isPartOfBadges(address: string): boolean {
  return ["achievements", "status"].some((name) => address.startsWith(`${env().PUBLIC_URL}/public/${name}/`));
}
