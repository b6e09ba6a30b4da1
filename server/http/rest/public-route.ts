import { clientAddress } from "./client-address";
import { endpoint, type Endpoint, type Exchange, type Reply } from "./endpoint";
import { problemResponse } from "./problem";
import { consumeAddress, consumePage } from "./rate-limit";
import { readQuery, refuseUnknown } from "./read-url";

export interface PublicRequest extends Exchange {
  /** The caller's address, as far as TRUST_PROXY allows it to be known. */
  address: string;
}

interface PublicRouteOptions {
  /** Headers of every response, including refusals, e.g. openToAllOrigins. */
  headers?: Record<string, string>;
  /** The accepted query parameters, by default none. Others are refused. */
  query?: readonly string[] | "any";
  /** Counts the request as a file of a page, with a higher limit, because a program loads many of them. */
  isFile?: boolean;
}

/** Serves a request that needs no authentication: rate-limited by address, refused with a problem document. */
export function publicRoute(
  serve: (request: PublicRequest) => Promise<Reply>,
  { headers = {}, query = [], isFile = false }: PublicRouteOptions = {},
): Endpoint {
  const dialect = {
    headers,
    async admit(exchange: Exchange) {
      const address = clientAddress(exchange.request);
      Object.assign(exchange.headers, await (isFile ? consumePage(address, "file") : consumeAddress(address)));
      if (query !== "any") refuseUnknown(readQuery(exchange.request.url), query);
      return address;
    },
    refuse: problemResponse,
  };
  return endpoint(dialect, (exchange, address) => serve({ ...exchange, address }));
}
