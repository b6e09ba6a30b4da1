import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createOutbound } from "@/server/outbound/outbound";
import { createAuthority, createCertificate } from "@/server/outbound/testing/certificates";
import { Invalid } from "@/server/standards/failure";
import { isObject, type JsonObject } from "@/server/standards/json";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { Issuing } from "./issuing";
import { verifyForSuite, verifyPresentationForSuite, type Verdict } from "./verifying";

const bodyLimit = 10 * 1024 * 1024;

export interface VcApi {
  origin: string;
  /** The did:key that signs. */
  did: string;
  /** The certificate authority of this run, as PEM. */
  ca: string;
  close(): Promise<void>;
}

/**
 * Serves the part of the VC-API that W3C's test suites call, over https on loopback only, with the service's own code
 * for issuing and verifying. It signs whatever it is asked to, so it is test code: the production build does not import
 * it.
 */
export async function startVcApi(port = 0): Promise<VcApi> {
  if (process.env["NODE_ENV"] === "production")
    throw new Error("The conformance adapter signs for anyone, so it does not run in production.");
  const authority = createAuthority("Bonafide conformance");
  const server = createServer(createCertificate({ names: ["localhost", "127.0.0.1"] }, authority));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound({
    resolve: async () => ["127.0.0.1"],
    allowCidrs: ["127.0.0.0/8"],
    allowHttp: false,
    ca: authority.cert,
  });
  const surroundings = () => ({ now: new Date(), request: outbound.request });
  const issuing = new Issuing(keyIssuer(), `${origin}/status/1`);
  const verdict = ({ verified, ...rest }: Verdict) => ({ status: verified ? 200 : 400, body: { verified, ...rest } });

  const operations: Record<string, (body: JsonObject) => Promise<{ status: number; body: object }>> = {
    "GET /status/1": async () => ({ status: 200, body: await issuing.statusList() }),
    "POST /credentials/issue": async (body) => ({ status: 201, body: await issuing.issue(body) }),
    "POST /credentials/verify": async (body) => verdict(await verifyForSuite(body, surroundings())),
    "POST /presentations/verify": async (body) => verdict(await verifyPresentationForSuite(body, surroundings())),
  };
  server.on("request", (request, response) => {
    void answer(request, operations[`${request.method} ${request.url}`]).then(({ status, body }) =>
      send(response, status, body),
    );
  });
  return {
    origin,
    did: issuing.issuer.did,
    ca: authority.cert,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await outbound.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  operation?: (body: JsonObject) => Promise<{ status: number; body: object }>,
): Promise<{ status: number; body: object }> {
  if (!operation) return { status: 404, body: { errors: ["There is nothing here."] } };
  try {
    return await operation(request.method === "GET" ? {} : await readBody(request));
  } catch (error) {
    if (error instanceof Invalid) return { status: 400, body: { errors: [error.message] } };
    console.error(error);
    return { status: 500, body: { errors: ["The adapter failed."] } };
  }
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new Invalid("The body is too large.");
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (isObject(body)) return body;
  } catch {
    // Reported by the error below.
  }
  throw new Invalid("The body is not a JSON object.");
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
