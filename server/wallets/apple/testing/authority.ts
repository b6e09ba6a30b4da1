import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs an openssl command with options. @throws Error with openssl's message */
const openssl = (command: string, options: Record<string, string>) =>
  run("openssl", [...command.split(" "), ...Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])]);

interface Issued {
  /** PEM. */
  certificate: string;
  /** PEM, PKCS #8. */
  privateKey: string;
}

export interface Subject {
  passTypeId?: string;
  teamId?: string;
  /** How many days it is valid from now. */
  days?: number;
  /** Apple issues certificates for RSA keys only; "ec" makes one that must be refused. */
  key?: "rsa" | "ec";
}

/** A stand-in for Apple's certificate authority, made with openssl. Its keys are RSA, as Apple's are. */
export class AppleAuthority {
  private constructor(
    private readonly folder: string,
    /** The intermediate certificate, as PEM. */
    readonly wwdr: string,
  ) {}

  static async create(name = "Worldwide Developer Relations Stand-in", days = 500): Promise<AppleAuthority> {
    const folder = await mkdtemp(join(tmpdir(), "apple-authority-"));
    await openssl("req -x509 -newkey rsa:2048 -nodes -sha256", {
      days: String(days),
      subj: `/CN=${name}/O=Apple Stand-in/C=US`,
      keyout: join(folder, "ca.key"),
      out: join(folder, "ca.pem"),
    });
    return new AppleAuthority(folder, await readFile(join(folder, "ca.pem"), "utf8"));
  }

  /** Issues a certificate of a pass type. */
  async issue({
    passTypeId = "pass.test.example.card",
    teamId = "TEAM123456",
    days = 400,
    key = "rsa",
  }: Subject = {}): Promise<Issued> {
    return this.#sign(`/UID=${passTypeId}/CN=Pass Type ID: ${passTypeId}/OU=${teamId}/O=Example University/C=US`, {
      days,
      newkey: key === "rsa" ? "rsa:2048" : "ec -pkeyopt ec_paramgen_curve:P-256",
      extensions: "extendedKeyUsage=clientAuth,1.2.840.113635.100.4.14",
    });
  }

  /** Exports a certificate and its key as a PKCS #12 file, with further options of openssl. */
  async pkcs12({ certificate, privateKey }: Issued, passphrase: string, options = ""): Promise<Buffer> {
    const folder = await mkdtemp(join(this.folder, "exported-"));
    const [pem, file] = [join(folder, "pem"), join(folder, "p12")];
    await writeFile(pem, certificate + privateKey);
    await openssl(`pkcs12 -export ${options}`.trim(), { in: pem, passout: `pass:${passphrase}`, out: file });
    return readFile(file);
  }

  /** Issues the certificate of a server on this machine. */
  server(): Promise<Issued> {
    return this.#sign("/CN=localhost", {
      days: 1,
      newkey: "rsa:2048",
      extensions: "subjectAltName=DNS:localhost,IP:127.0.0.1",
    });
  }

  /**
   * Verifies the signature of a pass over its manifest with `openssl cms -verify`, trusting only this authority.
   * @throws Error with openssl's message
   */
  async verify(manifest: Uint8Array, signature: Uint8Array): Promise<void> {
    const [content, signed] = [join(this.folder, "manifest.json"), join(this.folder, "signature")];
    await writeFile(content, manifest);
    await writeFile(signed, signature);
    await openssl("cms -verify -inform DER -binary -purpose any", {
      in: signed,
      content,
      CAfile: join(this.folder, "ca.pem"),
      out: join(this.folder, "verified"),
    });
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async #sign(
    subject: string,
    { days, newkey, extensions }: { days: number; newkey: string; extensions: string },
  ): Promise<Issued> {
    const folder = await mkdtemp(join(this.folder, "issued-"));
    const at = (name: string) => join(folder, name);
    await writeFile(at("extensions"), `${extensions}\n`);
    await openssl(`req -new -newkey ${newkey} -nodes -sha256`, {
      subj: subject,
      keyout: at("key"),
      out: at("request"),
    });
    await openssl("x509 -req -sha256 -CAcreateserial", {
      in: at("request"),
      days: String(days),
      CA: join(this.folder, "ca.pem"),
      CAkey: join(this.folder, "ca.key"),
      // A file for each certificate: two that are issued at once would write the same one.
      CAserial: at("serial"),
      extfile: at("extensions"),
      out: at("cert"),
    });
    return { certificate: await readFile(at("cert"), "utf8"), privateKey: await readFile(at("key"), "utf8") };
  }
}
