import { z } from "zod";
import { accessToken, forgetToken, json, type GoogleFailure } from "./access-token";
import type { PassIssuer } from "./settings";
import { askGoogle, type GoogleService } from "./service";

/**
 * The result of a request: `done`; `missing`, Google does not have the object (404, 410); `exists`, Google has it already
 * (409); `quota`, phones show no more messages of this pass today; or a failure.
 */
export type GoogleResult = "done" | "missing" | "exists" | "quota" | GoogleFailure;

const problem = z.object({
  error: z.object({
    status: z
      .string()
      .regex(/^\w{1,60}$/)
      .optional()
      .catch(undefined),
    message: z.string().default("").catch(""),
  }),
});

/** A client of the Google Wallet API for one organisation (walletobjects v1). */
export class GoogleApi {
  #unreached: GoogleFailure | undefined;

  constructor(
    private readonly service: GoogleService,
    readonly account: PassIssuer,
  ) {}

  /**
   * Sends a request. Once Google could not be reached or refused the account, later requests fail at once with the same
   * failure, so that many updates do not each wait for a timeout.
   *
   * @param path below the API's address, e.g. "genericObject"
   */
  async send(method: "POST" | "PATCH", path: string, body: object): Promise<GoogleResult> {
    if (this.#unreached) return this.#unreached;
    const first = await this.#attempt(method, path, body);
    if (first !== "unauthorized") return first;
    // The token may have been revoked before it expired. Try once more with a new token.
    forgetToken(this.service, this.account);
    const second = await this.#attempt(method, path, body);
    return second === "unauthorized" ? (this.#unreached = this.#refused()) : second;
  }

  async #attempt(method: "POST" | "PATCH", path: string, body: object): Promise<GoogleResult | "unauthorized"> {
    const token = await accessToken(this.service, this.account);
    if ("words" in token) return (this.#unreached = token);
    const answer = await askGoogle(this.service, {
      url: `${this.service.apiUrl}/${path}`,
      method,
      headers: {
        authorization: `Bearer ${token.token}`,
        "content-type": "application/json",
        accept: "application/json",
      },
      body: JSON.stringify(body),
    });
    const { status } = answer;
    if (status === null)
      return (this.#unreached = {
        words: `Google could not be reached. ${answer.errorDetail ?? ""}`.trim(),
        isRefusal: false,
      });
    if (answer.ok) return "done";
    if (status === 401) return "unauthorized";
    if (status === 404 || status === 410) return "missing";
    if (status === 409) return "exists";
    const read = problem.safeParse(json(answer.body));
    const error = read.success ? read.data.error : undefined;
    if (error?.message.includes("QuotaExceededException")) return "quota";
    if (status === 403) return this.#refused();
    const detail = `${status}${error?.status ? ` ${error.status}` : ""}`;
    return status === 429 || status >= 500
      ? { words: `Google answered ${detail}.`, isRefusal: false }
      : { words: `Google does not accept this (${detail}).`, isRefusal: true };
  }

  #refused(): GoogleFailure {
    const { clientEmail, issuerId } = this.account;
    return {
      words: `Google does not let ${clientEmail} create passes for the issuer ${issuerId}. In the Google Pay & Wallet Console, invite this address under Users with the access level Developer, and enable the Google Wallet API in the project of the service account.`,
      isRefusal: true,
    };
  }
}
