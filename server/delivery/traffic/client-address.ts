import type http from 'node:http';
import net from 'node:net';
import { withoutPort, isLoopbackAddress, groupsOf } from '#server/platform/net/networks.ts';

/** How many addresses of trusted proxies are remembered. */
const MAX_REMEMBERED = 1000;

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);
/** The first byte of IPv4 loopback addresses. */
const LOOPBACK = 127;

/** Finds out where requests come from. */
export type ClientAddress = {
  /** The visitor's address, as text. */
  addressOf: (request: http.IncomingMessage) => string;
  /**
   * The visitor's network (IPv4 /24, IPv6 /48) as a whole number below 2^32; null for loopback addresses. No two IPv4
   * networks share a number. Every decision calls this, so it creates no strings.
   */
  networkNumberOf: (request: http.IncomingMessage) => number | null;
};

/**
 * Finds the visitor's address. That is the socket's address or, behind trusted proxies (addresses or networks), the
 * last address in X-Forwarded-For that is not one of them. Any client can send this header, so it is read from its end,
 * and only as far as trusted proxies have written it. `onUntrusted` is called with the socket's address if another client
 * sends the header.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void = () => {},
): ClientAddress {
  const trusted = new net.BlockList();
  for (const hop of trustedProxies) {
    const [address = '', prefix] = hop.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  // Remember the proxies, because the block list is slow. Other addresses are rarely checked.
  const hops = new Set<string>();
  const isTrusted = (address: string): boolean => {
    if (trustedProxies.length === 0) return false;
    if (hops.has(address)) return true;
    const isHop = trusted.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
    if (isHop && hops.size < MAX_REMEMBERED) hops.add(address);
    return isHop;
  };

  /** The socket's address, or the whole X-Forwarded-For header if the socket belongs to a trusted proxy. */
  const claimOf = (request: http.IncomingMessage): string => {
    const socket = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return socket;
    if (isTrusted(socket)) return forwarded;
    onUntrusted(plain(socket));
    return socket;
  };

  /** The last address in `claim` that does not belong to a trusted proxy. */
  const lastUntrusted = (request: http.IncomingMessage, claim: string): string => {
    const written = claim.split(',');
    let address = plain(request.socket.remoteAddress ?? '');
    do {
      const next = plain(withoutPort(written.pop()!.trim()));
      if (net.isIP(next) === 0) break;
      address = next;
    } while (written.length > 0 && isTrusted(address));
    return address;
  };

  return {
    addressOf: (request) => {
      const claim = claimOf(request);
      // Usually there is one proxy, which writes a single address.
      return ipv4Number(claim) < 0 ? lastUntrusted(request, claim) : claim;
    },
    networkNumberOf: (request) => {
      const claim = claimOf(request);
      const number = ipv4Number(claim);
      if (number < 0) return numberOfNetwork(lastUntrusted(request, claim));
      return number >>> 24 === LOOPBACK ? null : number >>> 8;
    },
  };
}

/**
 * The number of an IPv4 address in the usual notation, 0 to 2^32 - 1, or -1. net.isIPv4 uses a regular expression,
 * which would take a fortieth of the time of a decision.
 */
function ipv4Number(text: string): number {
  let address = 0;
  let dots = 0;
  let number = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (number < 0) return -1;
      address = address * 256 + number;
      dots += 1;
      number = -1;
    } else {
      // Programs disagree about numbers with a leading zero: some read them as octal.
      if (code < ZERO || code > NINE || number === 0) return -1;
      number = (number < 0 ? 0 : number * 10) + code - ZERO;
      if (number > 255) return -1;
    }
  }
  return dots === 3 && number >= 0 ? address * 256 + number : -1;
}

/** The network number of any address, IPv4 or IPv6; null for loopback addresses. */
function numberOfNetwork(address: string): number | null {
  if (isLoopbackAddress(address)) return null;
  const ipv4 = ipv4Number(address);
  if (ipv4 >= 0) return ipv4 >>> 8;
  const [first, second, third] = firstGroupsOf(address) ?? [0, 0, 0];
  // This maps 48 bits to 32. The odd factor spreads the last 16.
  return (((first << 16) | second) ^ Math.imul(third, 0x9e_37_79_b1)) >>> 0;
}

// A dual-stack socket writes an IPv4 client as '::ffff:192.0.2.1'.
function plain(address: string): string {
  return address.startsWith('::ffff:') && net.isIPv4(address.slice(7)) ? address.slice(7) : address;
}

/**
 * The network of an address for the traffic rules: IPv4 /24 or IPv6 /48, wider than the subscriber of a limit
 * (server/platform/net/networks.ts), because a script changes its address within the network that it has rented.
 */
export function networkOf(address: string): string {
  if (net.isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  return (
    firstGroupsOf(address)
      ?.map((group) => group.toString(16))
      .join(':') ?? ''
  );
}

/** The network around it: IPv4 /16 or IPv6 /32, about what an internet provider gives to a region. */
export function wideNetworkOf(address: string): string {
  const network = networkOf(address);
  return network.slice(0, network.lastIndexOf(net.isIPv4(address) ? '.' : ':'));
}

/** The first three groups of an IPv6 address, which are its /48; null for any other text. */
export function firstGroupsOf(address: string): [number, number, number] | null {
  // Most addresses spell these groups out, so avoid splitting the rest.
  const written = /^([\da-f]{1,4}):([\da-f]{1,4}):([\da-f]{1,4}):/i.exec(address);
  const groups = written
    ? written.slice(1).map((group) => Number.parseInt(group, 16))
    : net.isIPv6(address)
      ? groupsOf(address)
      : null;
  if (!groups) return null;
  const [first = 0, second = 0, third = 0] = groups;
  return [first, second, third];
}
