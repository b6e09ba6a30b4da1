import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { decodeJwt, jwtVerify } from "jose";
import { CallbackSigner } from "./callback-signer";
import { refusal, WalletObjects, type Answer } from "./objects";

type Json = Record<string, unknown>;

/** A request that the stand-in let in. */
export interface Received {
  method: string;
  /** Below the API's address, such as genericObject/3388.abc. */
  path: string;
  body: Json;
}

interface Account {
  publicKey: KeyObject;
  issuerIds: string[];
}

let numbers = 3_388_000_000_000;

/** Google's token endpoint, its Wallet API and the keys of its callbacks, on loopback. Tokens are given for signed grants alone. */
export class GoogleServer extends WalletObjects {
  readonly received: Received[] = [];
  /** How often a token was asked for. */
  grants = 0;
  readonly signer = new CallbackSigner();
  /** Answers a request instead of the API; null leaves it to the API. */
  instead: (request: Received) => Answer | null = () => null;
  /** If set, an answer of the API waits for it. */
  hold: ((request: Received) => Promise<void>) | undefined;
  readonly #accounts = new Map<string, Account>();
  readonly #tokens = new Map<string, Account>();

  private constructor(private readonly server: Server) {
    super();
  }

  static async start({
    port = 0,
    tls,
  }: {
    port?: number;
    tls?: { certificate: string; privateKey: string };
  } = {}): Promise<GoogleServer> {
    const server = tls ? createTlsServer({ cert: tls.certificate, key: tls.privateKey }) : createServer();
    const google = new GoogleServer(server);
    server.on("request", (request, response) => {
      void (async () => {
        const [status, body] = await google.#answer(request);
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      })();
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return google;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Makes a service account that may make passes for an issuer of its own, with its key file. */
  account(issuerIds: string[] = [String(++numbers)]): { issuerId: string; serviceAccount: string; email: string } {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const email = `passes-${randomBytes(4).toString("hex")}@acme.iam.gserviceaccount.com`;
    this.#accounts.set(email, { publicKey, issuerIds });
    const serviceAccount = JSON.stringify({
      type: "service_account",
      project_id: "acme",
      private_key_id: randomBytes(20).toString("hex"),
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: email,
      token_uri: "https://elsewhere.example/token",
    });
    return { issuerId: issuerIds[0] ?? "", serviceAccount, email };
  }

  /** The key was deleted in Google Cloud: no grant and no token of it holds any more. */
  deleteKey(email: string): void {
    this.endTokens();
    this.#accounts.delete(email);
  }

  /** Ends all tokens, as a revocation does. */
  endTokens(): void {
    this.#tokens.clear();
  }

  /** The public key of an account, with which save links are verified. */
  keyOf(email: string): KeyObject {
    return this.#accounts.get(email)!.publicKey;
  }

  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const text = await read(request);
    const { method = "", url = "" } = request;
    if (url === "/keys") return [200, this.signer.keys()];
    if (url === "/token") return this.#grant(new URLSearchParams(text), request);
    const [, path] = /^\/walletobjects\/v1\/(.+)$/.exec(url) ?? [];
    if (path === undefined) return refusal(404, "NOT_FOUND", "Nothing is here.");
    const account = this.#tokens.get(/^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    if (!account) return refusal(401, "UNAUTHENTICATED", "The token is not valid.");
    const received = { method, path, body: JSON.parse(text) as Json };
    await this.hold?.(received);
    const failure = this.instead(received);
    if (failure) return failure;
    this.received.push(received);
    return this.answer(method, path, received.body, account.issuerIds);
  }

  /** RFC 7523: a JWT that the account's key signed (RS256), for this endpoint and at most an hour. */
  async #grant(form: URLSearchParams, request: IncomingMessage): Promise<Answer> {
    this.grants++;
    const invalid: Answer = [400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }];
    const assertion = form.get("assertion") ?? "";
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return invalid;
    try {
      const account = this.#accounts.get(String(decodeJwt(assertion).iss));
      if (!account) return invalid;
      const scheme = "encrypted" in request.socket ? "https" : "http";
      const { payload } = await jwtVerify(assertion, account.publicKey, {
        algorithms: ["RS256"],
        audience: `${scheme}://${request.headers.host}/token`,
        maxTokenAge: "1h",
      });
      if (payload["scope"] !== "https://www.googleapis.com/auth/wallet_object.issuer") return invalid;
      const token = randomBytes(24).toString("base64url");
      this.#tokens.set(token, account);
      return [200, { access_token: token, expires_in: 3599, token_type: "Bearer" }];
    } catch {
      return invalid;
    }
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk as string;
  return text;
}
