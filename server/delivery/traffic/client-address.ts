import type http from 'node:http';
import net from 'node:net';

/** Of the trusted addresses, remembered. */
const MAX_HOPS = 1000;

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);
/** The first number of IPv4 addresses that are this machine's own. */
const LOOPBACK = 127;

/** Where requests come from. */
export type ClientAddress = {
  /** The visitor's address, as text. */
  addressOf: (request: http.IncomingMessage) => string;
  /**
   * The visitor's network (IPv4 /24, IPv6 /48) as a whole number below 2^32; null for this machine itself. Of IPv4 no
   * two networks have the same. For what every decision does: nothing is written or cut.
   */
  networkNumberOf: (request: http.IncomingMessage) => number | null;
};

/**
 * Finds the visitor's address: the socket's, or, behind the trusted hops (addresses or networks), the last address
 * of X-Forwarded-For that is none of them. Anybody can write that header, so it is read from the end only as far as
 * the hops vouch for it.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new net.BlockList();
  for (const hop of trustedProxies) {
    const [address = '', prefix] = hop.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  // The hops are few and the list is slow to ask; who is none of them is asked about once, if ever.
  const hops = new Set<string>();
  const isTrusted = (address: string): boolean => {
    if (trustedProxies.length === 0) return false;
    if (hops.has(address)) return true;
    const isHop = trusted.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
    if (isHop && hops.size < MAX_HOPS) hops.add(address);
    return isHop;
  };

  /** The socket's address, or all of X-Forwarded-For where who wrote it is trusted. */
  const claimOf = (request: http.IncomingMessage): string => {
    const socket = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'];
    return typeof forwarded === 'string' && isTrusted(socket) ? forwarded : socket;
  };

  /** The last address of a claim that is no hop's. */
  const lastUntrusted = (request: http.IncomingMessage, claim: string): string => {
    const written = claim.split(',');
    let address = plain(request.socket.remoteAddress ?? '');
    do {
      const next = plain(written.pop()!.trim());
      if (net.isIP(next) === 0) break;
      address = next;
    } while (written.length > 0 && isTrusted(address));
    return address;
  };

  return {
    addressOf: (request) => {
      const claim = claimOf(request);
      // The usual proxy is alone, and writes one address.
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
 * An IPv4 address that is written as usual as its number, 0 to 2^32 - 1; else -1. net.isIPv4 tells the same by a regular
 * expression, which would be a fortieth of a decision (docs/performance.md).
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
      // A number with a zero before it means different things to different programs.
      if (code < ZERO || code > NINE || number === 0) return -1;
      number = (number < 0 ? 0 : number * 10) + code - ZERO;
      if (number > 255) return -1;
    }
  }
  return dots === 3 && number >= 0 ? address * 256 + number : -1;
}

/** The number of a network that is not told by ipv4Number. */
function numberOfNetwork(address: string): number | null {
  if (isLoopbackAddress(address)) return null;
  const ipv4 = ipv4Number(address);
  if (ipv4 >= 0) return ipv4 >>> 8;
  const [first, second, third] = firstGroupsOf(address) ?? [0, 0, 0];
  // 48 bits in 32: an odd factor spreads the last of them.
  return (((first << 16) | second) ^ Math.imul(third, 0x9e_37_79_b1)) >>> 0;
}

// '::ffff:192.0.2.1' is how a socket of both families names an IPv4 caller.
function plain(address: string): string {
  return address.startsWith('::ffff:') && net.isIPv4(address.slice(7)) ? address.slice(7) : address;
}

/** Whether an address (no URL) is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && net.isIPv4(address));
}

/** The network a visitor is in, as far as it is looked at: IPv4 /24 or IPv6 /48. */
export function networkOf(address: string): string {
  if (net.isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  return (
    firstGroupsOf(address)
      ?.map((group) => group.toString(16))
      .join(':') ?? ''
  );
}

/** The first three numbers of an IPv6 address, which are its /48; null for anything else. */
export function firstGroupsOf(address: string): [number, number, number] | null {
  // Nearly all addresses write these out; cutting up the rest of them would cost more than looking it up.
  const written = /^([\da-f]{1,4}):([\da-f]{1,4}):([\da-f]{1,4}):/i.exec(address);
  const groups = written ? written.slice(1) : net.isIPv6(address) ? filled(address) : null;
  if (!groups) return null;
  const [first = '', second = '', third = ''] = groups;
  return [Number.parseInt(first, 16), Number.parseInt(second, 16), Number.parseInt(third, 16)];
}

/** The groups of an address that leaves out zeros, as far as they are needed. */
function filled(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  // What ends as IPv4 ends in two numbers.
  const length = end.length + (tail.includes('.') ? 1 : 0);
  while (groups.length + length < 8) groups.push('0');
  return [...groups, ...end];
}
