import { env } from "@/server/core/env";

/**
 * Whether the address is the id of a part of academic credentials of this service: of an achievement and its parts, or
 * of a status list.
 */
export function isPartOfBadges(address: string): boolean {
  return ["achievements", "status"].some((name) => address.startsWith(`${env().PUBLIC_URL}/public/${name}/`));
}
