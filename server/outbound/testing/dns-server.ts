import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

const typeA = 1;
const typeAaaa = 28;
const typeTxt = 16;

export interface DnsServer {
  /** For createResolver. */
  servers: string[];
  /** May be changed at any time. Queries for a name with null get no answer; a name that is absent does not exist. */
  records: Map<string, string[] | null>;
  /** TXT records, by name. */
  texts: Map<string, string>;
  /** The name of each question, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a name server on a loopback port that speaks as much of RFC 1035 as a stub resolver needs. */
export async function startDnsServer(records: Record<string, string[] | null>): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const server: DnsServer = {
    servers: [],
    records: new Map(Object.entries(records)),
    texts: new Map(),
    asked: [],
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on("message", (query, peer) => {
    const { name, type, end } = readQuestion(query);
    server.asked.push(name);
    const question = query.subarray(0, end);
    const text = server.texts.get(name);
    const addresses = server.records.get(name);
    if (addresses === null) return;
    const bytes =
      type === typeTxt
        ? message(question, type, text === undefined ? undefined : [characterString(text)])
        : message(question, type, addresses && fitting(addresses, type));
    socket.send(bytes, peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  server.servers = [`127.0.0.1:${socket.address().port}`];
  return server;
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const characterString = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

const fitting = (addresses: string[], type: number): Buffer[] =>
  addresses
    .filter((ip) => type === (isIPv4(ip) ? typeA : typeAaaa))
    .map((ip) => Buffer.from(ipaddr.parse(ip).toByteArray()));

/** @param answers the records; undefined for a name that does not exist */
function message(question: Buffer, type: number, answers: Buffer[] | undefined): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(answers ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(answers?.length ?? 0, 6);
  header.writeUInt16BE(0, 10);
  const records = (answers ?? []).map((data) => {
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([header, ...records]);
}
