import { DomainError } from "@/server/core/errors";
import { clientAddress } from "./client-address";
import { endpoint, type Endpoint, type Exchange, type Reply } from "./endpoint";
import { problemResponse } from "./problem";
import { consume, consumeAddress } from "./rate-limit";
import { readJson } from "./read-body";

/** The most requests a minute that phones make about one pass, or one phone about all of its passes. */
const perMinute = 60;

/** A request of a phone with Apple Wallet, or of Google. */
export interface WalletRequest extends Exchange {
  address: string;
  authorization: string | null;
  /** @throws DomainError malformed_json, payload_too_large, unsupported_media_type */
  body(): Promise<Record<string, unknown>>;
}

/**
 * Serves a request of Apple's pass web service, or a callback of Google. Phones carry a pass's token, so they are
 * counted by pass or phone: all phones of a campus may share an address. A request with a wrong token or signature counts
 * against the address.
 *
 * @param keyOf what the request is counted by; null for Google, which tells of many passes from few addresses
 */
export function walletRoute(
  keyOf: ((params: Record<string, string>) => string) | null,
  serve: (request: WalletRequest) => Promise<Reply>,
): Endpoint {
  const dialect = {
    async admit(exchange: Exchange) {
      if (keyOf)
        Object.assign(exchange.headers, await consume("token", `apple wallet ${keyOf(exchange.params)}`, perMinute));
      return clientAddress(exchange.request);
    },
    refuse: problemResponse,
  };
  return endpoint(dialect, async (exchange, address) => {
    const { request } = exchange;
    try {
      return await serve({
        ...exchange,
        address,
        authorization: request.headers.get("authorization"),
        body: () => readJson(request, { bytes: 64 * 1024, values: 1000 }),
      });
    } catch (error) {
      if (error instanceof DomainError && error.code === "invalid_token") await consumeAddress(address);
      throw error;
    }
  });
}

export const emptyReply = (status: number): Reply => ({ status, body: null, headers: {} });
