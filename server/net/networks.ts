import { isIPv6 } from 'node:net';

/**
 * The networks around an address, the smallest first. `share` says how many times the points of one subscriber a wider
 * network gets: fewer than it has subscribers, so that a rented network is limited, and more than one, so that one
 * subscriber cannot exhaust it. An IPv6 subscriber has a /64 or a /56, and a site a /48.
 */
export function networksOf(ip: string): { key: string; share: number }[] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !isIPv6(ip)) {
    const address = mapped ?? ip;
    return [
      { key: address, share: 1 },
      { key: `${address.split('.').slice(0, 3).join('.')}.0/24`, share: 5 },
    ];
  }
  const groups = groupsOf(ip);
  const household = (Number.parseInt(groups[3] ?? '0', 16) & 0xff_00).toString(16);
  return [
    { key: `${groups.slice(0, 4).join(':')}::/64`, share: 1 },
    { key: `${groups.slice(0, 3).join(':')}:${household}::/56`, share: 3 },
    { key: `${groups.slice(0, 3).join(':')}::/48`, share: 10 },
  ];
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...missing, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
