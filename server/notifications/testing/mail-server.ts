import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { parseEnv } from "@/server/core/env";
import { mailSettings, type MailSettings } from "../settings";

/** An SMTP server on loopback that keeps the messages that it accepted. */
export class MailServer {
  readonly received: { from: string; to: string[]; source: string }[] = [];
  /** Recipients that it refused, in order. */
  readonly refused: string[] = [];
  /** The SMTP code with which a recipient is refused; 0 accepts it. */
  answer: (to: string) => number = () => 0;
  /** The SMTP reply with which every sender is refused; null accepts it. */
  refusesSender: { responseCode: number; message: string } | null = null;
  /** If set, a message is accepted when this resolves, and temporarily refused when it rejects. */
  hold: ((to: string[]) => Promise<void>) | undefined;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === "user" && password === "p@ss" ? done(null, { user: username }) : done(new Error("unknown user")),
    onMailFrom: (_, __, done) => {
      if (!this.refusesSender) return done();
      const { responseCode, message } = this.refusesSender;
      done(Object.assign(new Error(message), { responseCode }));
    },
    onRcptTo: ({ address }, _, done) => {
      const responseCode = this.answer(address);
      if (responseCode === 0) return done();
      this.refused.push(address);
      done(Object.assign(new Error("not now"), { responseCode }));
    },
    onData: (stream, { envelope }, done) => {
      text(stream)
        .then(async (source) => {
          const to = envelope.rcptTo.map(({ address }) => address);
          await this.hold?.(to);
          this.received.push({
            from: envelope.mailFrom ? envelope.mailFrom.address : "",
            to,
            source: unfolded(source),
          });
          done();
        })
        .catch((error: Error) => done(Object.assign(error, { responseCode: 451 })));
    },
  });

  /** Starts the server. @returns the environment variables that an operator would set */
  async listen(): Promise<{ SMTP_URL: string; MAIL_FROM: string }> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server.server, "listening");
    const { port } = this.#server.server.address() as AddressInfo;
    return { SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${port}`, MAIL_FROM: "Bonafide <bonafide@example.edu>" };
  }

  /** Starts the server. @returns the settings for its environment variables */
  async start(): Promise<MailSettings> {
    return mailSettings(parseEnv({ ...process.env, ...(await this.listen()) }))!;
  }

  /** The subjects of the messages that were accepted for an address. */
  subjectsTo(address: string): string[] {
    return this.received
      .filter(({ to }) => to.includes(address))
      .map(({ source }) => /^Subject: (.*)$/m.exec(source)![1]!.trim());
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Decodes encoded words (RFC 2047), which nodemailer writes in headers that are not plain ASCII. */
const decoded = (source: string) =>
  source.replace(/\?=\r\n[ \t]+=\?UTF-8\?Q\?/g, "").replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) =>
    decodeURIComponent(
      word
        .replaceAll("_", " ")
        .replaceAll("%", "%25")
        .replace(/=([0-9A-F]{2})/g, "%$1"),
    ),
  );

/** Decodes a message and removes the line ends of folding and quoted-printable. */
const unfolded = (source: string) =>
  decoded(source)
    .replace(/=\r\n/g, "")
    .replace(/\r\n[ \t]+/g, " ")
    .replaceAll("=3D", "=");
