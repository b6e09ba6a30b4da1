import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";

export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
}

const client = { id: "bonafide", secret: "a secret that the identity provider gave to the operator" };

/** An OpenID Connect provider on loopback. It signs in `person` without asking. */
export class IdentityProvider {
  person: Person = { sub: "nobody", email: "nobody@example.edu", email_verified: false };
  /** Whether ID tokens get an invalid signature. */
  forges = false;
  readonly #people = new Map<string, Person>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #provider: Provider | undefined;
  #issuer = "";

  /** @returns the settings that an operator would configure. */
  async start(
    redirectUri: string,
    port = 0,
  ): Promise<{ OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string }> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#issuer = `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    this.#provider = new Provider(this.#issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [redirectUri],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      pkce: { required: () => true },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ["a key for cookies of the tests"] },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...this.#people.get(sub)! }) }),
    });
    return { OIDC_ISSUER: this.#issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
  }

  /**
   * Requests one of the provider's addresses as a browser does. @returns the URL to which the browser is redirected.
   */
  async visit(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = url;
    while (at.startsWith(this.#issuer)) {
      const answer = await fetch(at, {
        redirect: "manual",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies.set(name!, value!);
      }
      const location = answer.headers.get("location");
      if (!location) throw new Error(`The identity provider answered ${answer.status}: ${await answer.text()}`);
      at = new URL(location, at).href;
    }
    return new URL(at);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider!;
    if (this.forges && request.url === "/token") forgeSignature(response);
    if (!request.url!.startsWith("/interaction/")) return void provider.callback()(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    this.#people.set(this.person.sub, this.person);
    if (prompt.name === "login")
      return provider.interactionFinished(request, response, { login: { accountId: this.person.sub } });
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: params["client_id"] as string });
    grant.addOIDCScope("openid email profile");
    return provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    );
  }
}

/** Replaces the signature of the ID token in a response by another of the same length. */
function forgeSignature(response: ServerResponse): void {
  const end = response.end.bind(response) as (body: unknown) => ServerResponse;
  response.end = ((body: unknown) => {
    const answer = JSON.parse(String(body)) as { id_token: string };
    const [header, claims, signature] = answer.id_token.split(".") as [string, string, string];
    const forged = Buffer.alloc(Buffer.from(signature, "base64url").length, 7).toString("base64url");
    return end(JSON.stringify({ ...answer, id_token: [header, claims, forged].join(".") }));
  }) as typeof response.end;
}
