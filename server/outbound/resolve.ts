import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { OutboundFailure } from "./failure";
import { isLoopbackName } from "./url-policy";

/** Resolves a name to all its addresses, IPv4 first; never empty. @throws OutboundFailure of class `dns` */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

export interface ResolverOptions {
  /** Name servers instead of the system's, such as "127.0.0.1:5353". */
  servers?: readonly string[];
  hostsFile?: string;
}

const queryTimeoutMs = 1500;

/**
 * Creates a resolver that asks the hosts file, then the name servers. It does not use getaddrinfo, which blocks one of
 * the process's four worker threads while a name server is silent: a few such names could stop all other work.
 */
export function createResolver({ servers, hostsFile = "/etc/hosts" }: ResolverOptions = {}): Resolve {
  return async (name, signal) => {
    if (isLoopbackName(name)) return ["127.0.0.1", "::1"];
    const listed = await listedAddresses(name, hostsFile);
    if (listed.length > 0) return listed;
    // A new resolver for each look-up (20 µs) sees changes of the system's servers, and cancel() ends only this
    // look-up.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener("abort", cancel);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new OutboundFailure("dns", reason(answers));
    return addresses;
  };
}

function reason(answers: PromiseSettledResult<string[]>[]): string {
  const said = answers.every(
    (answer) => answer.status === "rejected" && /ENOTFOUND|ENODATA/.test(String(answer.reason.code)),
  );
  return said ? "The name has no address." : "The name servers did not answer.";
}

async function listedAddresses(name: string, hostsFile: string): Promise<string[]> {
  const text = await readFile(hostsFile, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) && names.includes(name) ? [address] : [];
  });
}
