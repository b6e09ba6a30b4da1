import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Settings } from "../s3-client";

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Writes an answer, or none. */
export type Answer = (response: ServerResponse, request: Received) => void;

/** Answers with an error as Amazon S3 writes it. The answer to HEAD has no body. */
export const refusal =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response, { method }) =>
    response
      .writeHead(status, { "content-type": "application/xml", ...headers })
      .end(
        method === "HEAD"
          ? undefined
          : `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Words of ${code}.</Message><RequestId>0A49CE4060975EAC</RequestId><HostId>x</HostId></Error>`,
      );

export const accepted: Answer = (response, { method }) => response.writeHead(method === "DELETE" ? 204 : 200).end();
/** Ends the connection without an answer, as a store does with one that was idle. */
export const reset: Answer = (response) => response.socket!.destroy();

/** A store on loopback that answers as a test says, for answers that S3 servers of tests do not give. */
export class S3Stub {
  readonly received: Received[] = [];
  /** The answers to the next requests, in order; further requests get the last one. */
  answers: Answer[] = [accepted];

  private constructor(
    readonly port: number,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<S3Stub> {
    let stub: S3Stub | undefined;
    const server = createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      const received = { method, path: url, headers, body: (await buffer(request)).toString() };
      stub!.received.push(received);
      const [answer] = stub!.answers.length > 1 ? stub!.answers.splice(0, 1) : stub!.answers;
      answer!(response, received);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (stub = new S3Stub((server.address() as AddressInfo).port, async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    }));
  }

  /** Settings of a client of this store. */
  settings(): S3Settings {
    return {
      endpoint: `http://127.0.0.1:${this.port}`,
      region: "eu-central-1",
      bucket: "files",
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "secret",
      pathStyle: true,
    };
  }
}
