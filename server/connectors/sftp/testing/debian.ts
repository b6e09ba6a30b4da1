import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { once } from "node:events";

/** The OpenSSH server of Debian. Tests that need it are skipped if it is not installed. */
export const sshd = "/usr/sbin/sshd";
export const sftpClient = "/usr/bin/sftp";
export const scp = "/usr/bin/scp";
export const keygen = "/usr/bin/ssh-keygen";
export const hasServer = existsSync(sshd) && existsSync(keygen);
export const hasClient = existsSync(sftpClient) && existsSync(scp) && existsSync(keygen);

/** Creates a key pair without a passphrase. @returns the path of the private key; the public key is at the same path with .pub */
export function makeKey(folder: string, name: string, type = "ed25519"): string {
  const path = join(folder, name);
  execFileSync(keygen, ["-q", "-t", type, "-N", "", "-f", path]);
  return path;
}

/** An OpenSSH server on loopback that runs as the user of this process, with a temporary folder for its files. */
export class DebianServer {
  readonly username = userInfo().username;
  port = 0;
  #process: ChildProcess | undefined;

  private constructor(readonly folder: string) {}

  static async open(): Promise<DebianServer> {
    const server = new DebianServer(await mkdtemp(join(tmpdir(), "sshd-")));
    await server.#start();
    return server;
  }

  privateKey = () => readFile(join(this.folder, "client"), "utf8");
  out = () => join(this.folder, "out");

  async #start(): Promise<void> {
    await chmod(this.folder, 0o700);
    // As root, sshd needs this folder, which the system service would create.
    if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
    await mkdir(this.out());
    makeKey(this.folder, "client", "rsa");
    const hostKey = makeKey(this.folder, "host");
    this.port = await freePort();
    await writeFile(
      join(this.folder, "config"),
      [
        `Port ${this.port}`,
        "ListenAddress 127.0.0.1",
        `HostKey ${hostKey}`,
        `AuthorizedKeysFile ${join(this.folder, "client.pub")}`,
        `PidFile ${join(this.folder, "pid")}`,
        "UsePAM no",
        "StrictModes no",
        "PasswordAuthentication no",
        "PermitRootLogin prohibit-password",
        "Subsystem sftp internal-sftp",
      ].join("\n"),
    );
    const child = spawn(sshd, ["-D", "-e", "-f", join(this.folder, "config")], { stdio: ["ignore", "ignore", "pipe"] });
    this.#process = child;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr!.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("Server listening")) resolve();
      });
      child.once("exit", () => reject(new Error(said)));
    });
  }

  async close(): Promise<void> {
    const child = this.#process;
    if (child && child.exitCode === null) {
      child.kill();
      await once(child, "exit");
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
