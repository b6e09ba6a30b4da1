import { type Socket, connect as connectTcp, isIP } from "node:net";
import { type SecureContext, connect as connectTls } from "node:tls";
import { type Cidr, isAllowed } from "./address-policy";
import { OutboundFailure, blockedFailure, connectFailure, tlsFailure } from "./failure";
import type { Resolve } from "./resolve";
import { hostOf } from "./url-policy";

export interface DialOptions {
  resolve: Resolve;
  cidrs: readonly Cidr[];
  secureContext: SecureContext;
}

/** How many addresses of one name are tried, one after another, and how long each but the last may take. */
const maxAddresses = 4;
const attemptTimeoutMs = 1000;

/**
 * Connects a socket to the URL's host, with TLS for https. The peer's address is checked before DNS (a literal), after
 * DNS, and once more on the connected socket before the first byte. `signal` can cancel it until it returns.
 * @param tried is called with each address that a connection is attempted to, in order
 * @throws OutboundFailure, or the signal's reason
 */
export async function dial(
  url: URL,
  options: DialOptions,
  signal: AbortSignal,
  tried: (address: string) => void,
): Promise<{ socket: Socket; address: string }> {
  const host = hostOf(url);
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const { socket, address } = await dialHost({ host, port }, options, signal, tried);
  return {
    socket: url.protocol === "https:" ? await openTls(socket, host, address, options, signal) : socket,
    address,
  };
}

/** Connects a socket to a host, an address or a name, by the rules of dial(). */
export async function dialHost(
  { host, port }: { host: string; port: number },
  options: Pick<DialOptions, "resolve" | "cidrs">,
  signal: AbortSignal,
  tried: (address: string) => void,
): Promise<{ socket: Socket; address: string }> {
  const addresses = isIP(host) ? [host] : await options.resolve(host, signal);
  signal.throwIfAborted();
  const allowed = addresses.filter((address) => isAllowed(address, options.cidrs)).slice(0, maxAddresses);
  if (allowed.length === 0) throw blockedFailure();
  const socket = await openTcp(allowed, port, signal, tried);
  const address = socket.remoteAddress;
  if (!address || !isAllowed(address, options.cidrs)) {
    socket.destroy();
    throw address ? blockedFailure() : connectFailure(null, null);
  }
  return { socket, address };
}

function openTcp(
  addresses: string[],
  port: number,
  signal: AbortSignal,
  tried: (address: string) => void,
): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connectTcp({
    // Node calls `lookup` only for names, not for literals. It returns the addresses that were resolved and checked.
    host: "resolved.invalid",
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    // Deferred, so that the listener of connectionAttempt below is added before the first attempt.
    lookup: (_name, _options, done) => process.nextTick(done, null, found),
  });
  socket.on("connectionAttempt", tried);
  return connectedSocket(socket, "connect", signal, (error) => {
    const last = error instanceof AggregateError ? error.errors.at(-1) : error;
    return connectFailure(last, addresses.at(-1) ?? null);
  });
}

function openTls(
  socket: Socket,
  host: string,
  address: string,
  options: DialOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    servername: isIP(host) ? undefined : host,
    ALPNProtocols: ["http/1.1"],
    secureContext: options.secureContext,
  });
  return connectedSocket(secured, "secureConnect", signal, (error) => tlsFailure(error, address));
}

function connectedSocket<S extends Socket>(
  socket: S,
  event: string,
  signal: AbortSignal,
  explain: (error: unknown) => OutboundFailure,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    // This listener is never removed: an error event without a listener would end the process.
    socket.on("error", (error) => {
      signal.removeEventListener("abort", abort);
      reject(explain(error));
    });
    socket.once(event, () => {
      signal.removeEventListener("abort", abort);
      resolve(socket);
    });
  });
}
