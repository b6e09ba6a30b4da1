import ipaddr from "ipaddr.js";

/**
 * The key by which a caller's address is counted: an IPv4 address itself, or the /64 of an IPv6 address, because one
 * machine can use a whole /64. A text that is no address is returned as it is.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString().replace(/%.*/, "")}/64`).toString()}/64`
    : parsed.toString();
}
