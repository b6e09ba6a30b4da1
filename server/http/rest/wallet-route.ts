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
 * Serves a request of Apple's pass web service, or a callback of Google. Phones carry a pass's token, so they are counted by pass or phone: all
 * phones of a campus may share an address. A request with a wrong token counts against the address alone, so that a
 * stranger who knows a pass's serial number cannot use up its limit.
 *
 * @param keyOf what the request is counted by, @throws DomainError invalid_token; null for Google, whose
 *   callbacks are about many passes and come from few addresses
 */
export function walletRoute(
  keyOf: ((request: WalletRequest) => string | Promise<string>) | null,
  serve: (request: WalletRequest) => Promise<Reply>,
): Endpoint {
  const dialect = { admit: async (exchange: Exchange) => clientAddress(exchange.request), refuse: problemResponse };
  return endpoint(dialect, async (exchange, address) => {
    const { request, headers } = exchange;
    const asked: WalletRequest = {
      ...exchange,
      address,
      authorization: request.headers.get("authorization"),
      body: () => readJson(request, { bytes: 64 * 1024, values: 1000 }),
    };
    try {
      if (keyOf) Object.assign(headers, await consume("token", `apple wallet ${await keyOf(asked)}`, perMinute));
      return await serve(asked);
    } catch (error) {
      if (error instanceof DomainError && error.code === "invalid_token") await consumeAddress(address);
      throw error;
    }
  });
}

export const emptyReply = (status: number): Reply => ({ status, body: null, headers: {} });
