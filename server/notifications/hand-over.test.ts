import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EnvError, parseEnv } from "@/server/core/env";
import { createMailer, handOver } from "./hand-over";
import { mailSettings } from "./settings";

const letter = { subject: "Hello", text: "Hello\n", html: "<p>Hello</p>" };
let folder: string;
const file = (name: string) => join(folder, name);
const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smtp-ca-"));
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-days",
    "2",
    "-subj",
    "/CN=Campus CA",
    "-keyout",
    file("ca.key"),
    "-out",
    file("ca.pem"),
  );
  openssl(
    "req",
    ...key,
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost",
    "-keyout",
    file("s.key"),
    "-out",
    file("s.csr"),
  );
  openssl(
    "x509",
    "-req",
    "-in",
    file("s.csr"),
    "-CA",
    file("ca.pem"),
    "-CAkey",
    file("ca.key"),
    "-days",
    "2",
    "-copy_extensions",
    "copyall",
    "-out",
    file("s.pem"),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An SMTP server without a sign-in, with a certificate of the campus's own authority. */
async function campusServer(secure: boolean) {
  const received: { secure: boolean; signedIn: boolean }[] = [];
  const server = new SMTPServer({
    secure,
    authOptional: true,
    disabledCommands: ["AUTH"],
    key: await readFile(file("s.key")),
    cert: await readFile(file("s.pem")),
    onData: (stream, session, done) => {
      received.push({ secure: session.secure, signedIn: Boolean(session.user) });
      text(stream).then(() => done(), done);
    },
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const settings = (more: object) =>
    mailSettings(
      parseEnv({
        ...process.env,
        SMTP_URL: `${secure ? "smtps" : "smtp"}://localhost:${port}`,
        MAIL_FROM: "bonafide@example.edu",
        ...more,
      }),
    )!;
  return {
    received,
    send: (more: object) => handOver(createMailer(settings(more)), "ada@example.edu", "key", letter, {}),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

it.each([true, false])(
  "a mail goes over TLS with a private authority, without signing in (from the start: %s)",
  async (secure) => {
    const server = await campusServer(secure);
    expect(await server.send({ SMTP_CA: file("ca.pem") })).toBe("sent");
    expect(server.received).toEqual([{ secure: true, signedIn: false }]);
    if (secure) expect(await server.send({})).toBe("retry");
    expect(server.received).toHaveLength(1);
    await server.close();
  },
);

it("a file of authorities that cannot be read, or holds none, is named when the service starts", () => {
  const start = (path: string) => () =>
    parseEnv({ ...process.env, SMTP_URL: "smtp://localhost", MAIL_FROM: "a@example.edu", SMTP_CA: path });
  expect(start(file("none.pem"))).toThrow(EnvError);
  expect(start(file("none.pem"))).toThrow(/SMTP_CA: the file .* cannot be read \(ENOENT\)/);
  expect(start(file("s.key"))).toThrow(/holds no certificate/);
});

it("the outcome of a mail is unknown if the connection ended after the whole mail was sent", async () => {
  // Speaks SMTP until the end of the message, and then closes the connection.
  const server = createServer((socket) => {
    let inData = false;
    socket.write("220 ready\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const said = chunk.toString();
      if (inData) return said.endsWith("\r\n.\r\n") ? socket.destroy() : undefined;
      inData = said.startsWith("DATA");
      socket.write(inData ? "354 go on\r\n" : "250 ok\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const settings = mailSettings(
    parseEnv({ ...process.env, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "bonafide@example.edu" }),
  )!;
  expect(await handOver(createMailer(settings), "ada@example.edu", "key", letter, {})).toBe("unknown");
  await new Promise((resolve) => server.close(resolve));
});
