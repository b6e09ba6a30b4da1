import { type KeyObject, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM, PKCS #8. */
  key: string;
}

export interface Authority extends Certificate {
  name: string;
  privateKey: KeyObject;
}

interface Subject {
  /** DNS names or IP addresses; the first is also the common name. */
  names: [string, ...string[]];
  notBefore?: Date;
  notAfter?: Date;
}

const day = 86_400_000;
const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));

/** Creates a certificate authority for one test run (RFC 5280, P-256). */
export function createAuthority(name: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const cert = build({ names: [name] }, name, publicKey, privateKey, true);
  return { name, cert, privateKey, key: pem(privateKey) };
}

/** Creates a server certificate, signed by the authority, or self-signed without one. */
export function createCertificate(subject: Subject, authority?: Authority): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const cert = build(
    subject,
    authority?.name ?? subject.names[0],
    publicKey,
    authority?.privateKey ?? privateKey,
    false,
  );
  return { cert, key: pem(privateKey) };
}

function build(
  subject: Subject,
  issuer: string,
  publicKey: KeyObject,
  signer: KeyObject,
  isAuthority: boolean,
): string {
  const { names, notBefore = new Date(Date.now() - day), notAfter = new Date(Date.now() + day) } = subject;
  const extensions = isAuthority
    ? [extension("2.5.29.19", sequence(Buffer.from([0x01, 0x01, 0xff])))]
    : [extension("2.5.29.17", sequence(...names.map(alternativeName)))];
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    commonName(names[0]),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, signer));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function pem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function integer(value: Buffer): Buffer {
  return der(0x02, value);
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId("2.5.4.3"), der(0x0c, Buffer.from(name)))));
}

function utcTime(time: Date): Buffer {
  return der(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), der(0x04, value));
}

function alternativeName(name: string): Buffer {
  return isIP(name) ? der(0x87, Buffer.from(ipaddr.parse(name).toByteArray())) : der(0x82, Buffer.from(name));
}
