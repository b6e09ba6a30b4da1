import { describe, expect, test } from "vitest";
import { isAllowed, parseCidrs } from "./address-policy";

describe("public addresses are allowed", () => {
  test.each([
    ["a public IPv4 address", "93.184.215.14"],
    ["the address before a private range", "9.255.255.255"],
    ["the address after a private range", "172.32.0.0"],
    ["a public IPv6 address", "2606:4700:4700::1111"],
    ["an IPv4-mapped public address", "::ffff:93.184.215.14"],
    ["a NAT64 public address", "64:ff9b::93.184.215.14"],
  ])("%s: %s", (_, ip) => expect(isAllowed(ip, [])).toBe(true));
});

describe("everything else is refused", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["this network, further in", "0.1.2.3"],
    ["private, 10/8", "10.0.0.1"],
    ["private, 172.16/12", "172.31.255.255"],
    ["private, 192.168/16", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["Alibaba's metadata", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback, further in", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["metadata of AWS, Azure and Google", "169.254.169.254"],
    ["Azure's wire server", "168.63.129.16"],
    ["protocol assignments", "192.0.0.1"],
    ["Oracle's metadata", "192.0.0.192"],
    ["documentation, 192.0.2/24", "192.0.2.1"],
    ["documentation, 198.51.100/24", "198.51.100.1"],
    ["documentation, 203.0.113/24", "203.0.113.1"],
    ["AS112", "192.31.196.1"],
    ["AMT", "192.52.193.1"],
    ["6to4 relays", "192.88.99.1"],
    ["benchmarking", "198.19.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv6 loopback, written out", "0:0:0:0:0:0:0:1"],
    ["IPv6 link-local", "fe80::1"],
    ["IPv6 link-local with a zone", "fe80::1%eth0"],
    ["IPv6 site-local", "fec0::1"],
    ["IPv6 unique local", "fd00::1"],
    ["AWS's metadata over IPv6", "fd00:ec2::254"],
    ["IPv6 multicast", "ff02::1"],
    ["IPv6 discard", "100::1"],
    ["IPv6 documentation", "2001:db8::1"],
    ["IPv6 documentation, RFC 9637", "3fff::1"],
    ["IPv6 benchmarking", "2001:2::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["segment routing", "5f00::1"],
    ["IPv6 space that nobody was given", "4000::1"],
    ["IPv4-compatible loopback", "::127.0.0.1"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped loopback in hexadecimal", "::ffff:7f00:1"],
    ["IPv4-mapped private with a zone", "::ffff:10.0.0.1%1"],
    ["IPv4-translated loopback", "::ffff:0:127.0.0.1"],
    ["NAT64 loopback", "64:ff9b::127.0.0.1"],
    ["NAT64 metadata in hexadecimal", "64:ff9b::a9fe:a9fe"],
    ["NAT64 for local use, private", "64:ff9b:1::10.0.0.1"],
    ["NAT64 for local use, public", "64:ff9b:1::93.184.215.14"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["6to4 of a public address", "2002:5db8:d70e::1"],
    ["Teredo", "2001:0:a00:1::f5ff:fffe"],
    ["a decimal number", "2130706433"],
    ["octal", "0177.0.0.1"],
    ["octal, short", "017700000001"],
    ["hexadecimal", "0x7f000001"],
    ["hexadecimal, by part", "0x7f.0x0.0x0.0x1"],
    ["two parts", "127.1"],
    ["three parts", "10.0.1"],
    ["a trailing dot", "127.0.0.1."],
    ["a name", "example.com"],
    ["nothing", ""],
  ])("%s: %s", (_, ip) => expect(isAllowed(ip, [])).toBe(false));
});

describe("the operator's ranges", () => {
  test.each([
    ["inside", "10.1.2.3", "10.1.0.0/16", true],
    ["outside", "10.2.0.1", "10.1.0.0/16", false],
    ["a single address", "127.0.0.1", "127.0.0.1/32", true],
    ["IPv6 inside", "fd12::1", "fd12::/16", true],
    ["IPv6 outside", "fd13::1", "fd12::/16", false],
    ["mapped, judged as IPv4", "::ffff:10.1.2.3", "10.1.0.0/16", true],
    ["NAT64, judged as IPv4", "64:ff9b::10.1.2.3", "10.1.0.0/16", true],
    ["mapped is no part of an IPv6 range", "::ffff:127.0.0.1", "::/0", false],
    ["an IPv4 range says nothing of IPv6", "fd00::1", "0.0.0.0/0", false],
    ["6to4 where it is listed", "2002:5db8:d70e::1", "2002::/16", true],
  ])("%s: %s in %s", (_, ip, range, allowed) => expect(isAllowed(ip, parseCidrs([range]))).toBe(allowed));

  test("public addresses stay allowed", () => {
    expect(isAllowed("93.184.215.14", parseCidrs(["10.0.0.0/8"]))).toBe(true);
  });

  test.each(["10.0.0.0", "10.0.0.0/33", "example.com/8", ""])(
    "%j is not a CIDR range, and the error names it",
    (range) => {
      expect(() => parseCidrs([range])).toThrow(`"${range}" is not a CIDR range`);
    },
  );
});
