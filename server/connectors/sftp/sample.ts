import { sampleBytes, sampleOfBytes, tooLargeToTest, type SourceSample } from "../http/sample";
import { listMeant } from "./choose-file";
import type { HostKey } from "./host-key";
import { joined, remotePlace } from "./remote-path";
import { withSftp, type SftpAccess } from "./session";

const filesShown = 20;

/**
 * Lists the files that the path matches, and reads the first rows of the newest. Without an approved host key, it only
 * reads the server's key and sends no credentials.
 * @throws PullError, HostKeyError, or the signal's reason
 */
export function sampleOfServer(
  access: SftpAccess,
): Promise<SourceSample & { files: string[]; hostKey: HostKey | null }> {
  const { settings } = access;
  return withSftp(access, async (remote) => {
    const place = remotePlace(settings.path);
    const files = (await listMeant(remote, place)).reverse();
    const names = files.slice(0, filesShown).map(({ name }) => name);
    const [newest] = files;
    const found = { files: names, hostKey: settings.hostKey, columns: [], rows: [] };
    if (!newest || newest.size === 0) return found;
    const read = async (size: number) => {
      const chunks: Buffer[] = [];
      for await (const chunk of remote.read(joined(place.folder, newest.name), size)) chunks.push(chunk);
      return chunks;
    };
    const chunks = await read(Math.min(newest.size, sampleBytes([])));
    const needed = sampleBytes(chunks[0]!);
    if (needed === sampleBytes([])) return { ...found, ...(await sampleOfBytes(chunks, settings)) };
    if (newest.size > needed) throw tooLargeToTest();
    return { ...found, ...(await sampleOfBytes(await read(newest.size), settings)) };
  });
}
