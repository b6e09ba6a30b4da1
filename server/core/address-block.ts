import ipaddr from "ipaddr.js";

/**
 * What counts as one caller: an IPv4 address, or the /64 of an IPv6 address, of which a single machine has all at its
 * disposal. What is no address stands for itself.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString().replace(/%.*/, "")}/64`).toString()}/64`
    : parsed.toString();
}
