import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = [Address, number];

/** The unicast space that IANA allocates to the public; all other IPv6 prefixes are special or unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Azure's metadata and agent service: a public address that only machines inside Azure reach. */
const azureWireServer = ipaddr.IPv4.parse("168.63.129.16");

/**
 * Parses ranges such as "10.1.0.0/16" or "fd00::/8".
 * @throws Error that names the first one that is not a CIDR range
 */
export function parseCidrs(ranges: readonly string[]): Cidr[] {
  return ranges.map((range) => {
    if (!ipaddr.isValidCIDR(range)) throw new Error(`"${range}" is not a CIDR range such as 10.1.0.0/16`);
    return ipaddr.parseCIDR(range);
  });
}

/**
 * Whether an outgoing request may reach this address: it is public unicast, or inside one of the operator's ranges
 * (contract section 10). The value counts, not the spelling. IPv4-mapped and NAT64 (RFC 6052) addresses are judged as
 * the IPv4 address in them, by both rules; other translated addresses (6to4, Teredo, RFC 8215) are special. A text that
 * is no address is refused.
 */
export function isAllowed(ip: string, cidrs: readonly Cidr[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = unwrap(ipaddr.parse(ip));
  return isPublic(address) || cidrs.some((cidr) => contains(cidr, address));
}

function unwrap(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : !address.match(azureWireServer, 32);
}

function contains([network, bits]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
