import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { decodeJwt, jwtVerify } from "jose";
import { CallbackSigner } from "./callback-signer";
import { refusal, WalletObjects, type Answer } from "./objects";

type Json = Record<string, unknown>;

/** A request with a valid token. */
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

/**
 * A stand-in for Google on loopback: the token endpoint, the Wallet API and the keys of callbacks. It issues tokens only
 * for correctly signed grants.
 */
export class GoogleServer extends WalletObjects {
  readonly received: Received[] = [];
  /** How often a token was requested. */
  grants = 0;
  readonly signer = new CallbackSigner();
  /** Answers a request in place of the API; null lets the API answer. */
  instead: (request: Received) => Answer | null = () => null;
  /** If set, each answer of the API waits for this. */
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

  /** Creates a service account with its key file. Unless `issuerIds` are given, it gets a new issuer. */
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

  /** Deletes the key of an account: its grants and tokens are refused from now on. */
  deleteKey(email: string): void {
    this.endTokens();
    this.#accounts.delete(email);
  }

  /** Revokes all tokens. */
  endTokens(): void {
    this.#tokens.clear();
  }

  /** The public key of an account, to verify save links. */
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

  /** Accepts a JWT that the account's key signed with RS256, for this endpoint and for at most an hour (RFC 7523). */
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
