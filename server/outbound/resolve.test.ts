import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createResolver } from "./resolve";
import { type DnsServer, startDnsServer } from "./testing/dns-server";

const signal = new AbortController().signal;
let dns: DnsServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "resolve-"));
  dns = await startDnsServer({
    "both.test": ["192.0.2.1", "192.0.2.2", "2001:db8::1"],
    "six.test": ["2001:db8::2"],
    "empty.test": [],
    "silent.test": null,
  });
});

afterAll(async () => {
  await dns.close();
  await rm(folder, { recursive: true });
});

test("returns all addresses of both families, IPv4 first", async () => {
  expect(await createResolver(dns)("both.test", signal)).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
});

test("resolves a name that has only IPv6 addresses", async () => {
  expect(await createResolver(dns)("six.test", signal)).toEqual(["2001:db8::2"]);
});

test.each(["empty.test", "absent.test"])("%s has no address", async (name) => {
  await expect(createResolver(dns)(name, signal)).rejects.toMatchObject({
    errorClass: "dns",
    message: "The name has no address.",
  });
});

test("an abort ends the wait for a silent name server", async () => {
  const abort = new AbortController();
  const resolving = createResolver(dns)("silent.test", abort.signal);
  while (!dns.asked.includes("silent.test")) await new Promise(setImmediate);
  abort.abort();
  await expect(resolving).rejects.toMatchObject({ errorClass: "dns", message: "The name servers did not answer." });
});

test.each(["localhost", "hooks.localhost"])("%s is loopback without a query to a name server", async (name) => {
  expect(await createResolver(dns)(name, signal)).toEqual(["127.0.0.1", "::1"]);
  expect(dns.asked).not.toContain(name);
});

test("the hosts file takes precedence over name servers", async () => {
  const hostsFile = join(folder, "hosts");
  await writeFile(hostsFile, "# both.test\n198.51.100.7\tOther.test both.test # gateway\nfe80::1%lo0 both.test.old\n");
  const resolve = createResolver({ ...dns, hostsFile });
  expect(await resolve("both.test", signal)).toEqual(["198.51.100.7"]);
  expect(await resolve("other.test", signal)).toEqual(["198.51.100.7"]);
  expect(await resolve("six.test", signal)).toEqual(["2001:db8::2"]);
});

test("a missing hosts file is no error", async () => {
  const resolve = createResolver({ ...dns, hostsFile: join(folder, "absent") });
  expect(await resolve("six.test", signal)).toEqual(["2001:db8::2"]);
});
