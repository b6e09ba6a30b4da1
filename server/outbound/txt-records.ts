import { Resolver } from "node:dns/promises";

/** Creates a function that returns the texts of a name's TXT records; none where the name or the servers have none. */
export function createTxtRecords({
  servers,
}: {
  servers?: readonly string[];
} = {}): (name: string) => Promise<string[]> {
  return async (name) => {
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    if (servers) resolver.setServers(servers);
    const records = await resolver.resolveTxt(name).catch(() => []);
    return records.map((parts) => parts.join(""));
  };
}

/** The texts of a name's TXT records, of the system's name servers. */
export const txtRecords = createTxtRecords();
