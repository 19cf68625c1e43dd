import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { firstGroupsOf } from '../client-address.ts';

/** Ranges of address numbers, from `starts[i]` to `ends[i]` inclusive. They are sorted and do not touch each other. */
export type Ranges = { starts: Float64Array; ends: Float64Array };

/**
 * IPv4 ranges hold whole addresses. IPv6 ranges hold the first 48 bits, the smallest network that is routed publicly.
 */
export type Networks = { v4: Ranges; v6: Ranges };

/** How many lines to read at a time, so that a long list does not delay other requests. */
const LINES_AT_ONCE = 4000;

type Range = [start: number, end: number];

/** A line is not a network. The message names the line. */
export class NotANetwork extends Error {}

/**
 * Reads a list of networks or addresses, one per line. `#` starts a comment. An IPv6 network longer than /48 stands for
 * its /48. Throws NotANetwork.
 */
export async function readNetworks(text: string): Promise<Networks> {
  const v4: Range[] = [];
  const v6: Range[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (number % LINES_AT_ONCE === 0) await setImmediate();
    const network = line.split('#', 1)[0]?.trim() ?? '';
    if (network === '') continue;
    const [address = '', prefix, more] = network.split('/');
    const range = more === undefined ? rangeOf(address, prefix) : null;
    if (!range) throw new NotANetwork(`Line ${number} is not a network: ${network.slice(0, 50)}`);
    (net.isIPv4(address) ? v4 : v6).push(range);
  }
  return { v4: merged(v4), v6: merged(v6) };
}

/** Whether an address is in one of the networks. False for text that is not an address. */
export function includes(networks: Networks, address: string): boolean {
  if (net.isIPv4(address)) return contains(networks.v4, valueOfV4(address));
  const value = valueOfV6(address);
  return value !== null && contains(networks.v6, value);
}

export function sizeOf({ v4, v6 }: Networks): number {
  return v4.starts.length + v6.starts.length;
}

/** The addresses in `networks` that are not in `without`. */
export function subtract(networks: Networks, without: Networks): Networks {
  return { v4: difference(networks.v4, without.v4), v6: difference(networks.v6, without.v6) };
}

function contains({ starts, ends }: Ranges, value: number): boolean {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) > value) high = middle - 1;
    else if ((ends[middle] as number) < value) low = middle + 1;
    else return true;
  }
  return false;
}

function rangeOf(address: string, prefix: string | undefined): Range | null {
  const bits = net.isIPv4(address) ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
  const value = bits === 32 ? valueOfV4(address) : valueOfV6(address);
  if (value === null || !(length <= bits)) return null;
  const size = 2 ** Math.max(0, (bits === 32 ? 32 : 48) - length);
  const start = value - (value % size);
  return [start, start + size - 1];
}

function valueOfV4(address: string): number {
  let value = 0;
  let part = 0;
  // Every view is checked, so this avoids splitting the text.
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === 46) {
      value = value * 256 + part;
      part = 0;
    } else part = part * 10 + code - 48;
  }
  return value * 256 + part;
}

function valueOfV6(address: string): number | null {
  const groups = firstGroupsOf(address);
  return groups && groups[0] * 2 ** 32 + groups[1] * 2 ** 16 + groups[2];
}

function merged(ranges: Range[]): Ranges {
  const kept: Range[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = kept.at(-1);
    if (last && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else kept.push([start, end]);
  }
  return rangesOf(kept);
}

function difference(ranges: Ranges, without: Ranges): Ranges {
  const kept: Range[] = [];
  let next = 0;
  ranges.starts.forEach((from, index) => {
    const end = ranges.ends[index] as number;
    let start = from;
    while (next < without.starts.length && (without.ends[next] as number) < start) next += 1;
    for (let at = next; at < without.starts.length && (without.starts[at] as number) <= end; at++) {
      if ((without.starts[at] as number) > start) kept.push([start, (without.starts[at] as number) - 1]);
      start = (without.ends[at] as number) + 1;
    }
    if (start <= end) kept.push([start, end]);
  });
  return rangesOf(kept);
}

const rangesOf = (ranges: Range[]): Ranges => ({
  starts: Float64Array.from(ranges, ([start]) => start),
  ends: Float64Array.from(ranges, ([, end]) => end),
});
