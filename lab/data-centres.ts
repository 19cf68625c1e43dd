/**
 * Makes the list of data centers' addresses from two public repositories, which the caller must clone first. It has the
 * networks of the big clouds in lord-alfred/ipranges, without the relays and VPNs that people use.
 *
 *   npm run lab data-centres -- IPRANGES LISTS_VPN FILE
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type Networks,
  type Ranges,
  readNetworks,
  sizeOf,
  subtract,
} from '../server/delivery/traffic/data-centres/networks.ts';

/** Clouds that rent out machines. We leave out content networks, because some carry the traffic of people's devices. */
const CLOUDS = ['amazon', 'digitalocean', 'google', 'linode', 'microsoft', 'oracle', 'vultr'];
/** Relays by which people hide their address. The MRC calls these routing artifacts of legitimate users. */
const RELAYS = ['apple-proxy', 'protonvpn'];

/** IANA's special-purpose networks (documentation, private, 6to4, Teredo), which some clouds list by mistake. */
const SPECIAL =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  ::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1`.replaceAll(/\s+/g, '\n');

const [ranges, vpns, file] = process.argv.slice(2);
if (!ranges || !vpns || !file) throw new Error('Usage: npm run lab data-centres -- IPRANGES LISTS_VPN FILE');

const listed = await readNetworks(CLOUDS.map((name) => read(path.join(ranges, name))).join('\n'));
const clouds = subtract(listed, await readNetworks(SPECIAL));
const relays = await readNetworks(
  [...RELAYS.map((name) => read(path.join(ranges, name))), read(path.join(vpns, 'output', 'vpn'))].join('\n'),
);
const remaining = subtract(clouds, relays);
const lines = [
  '# Addresses of data centers: the networks that clouds publish as their own.',
  `# ${CLOUDS.join(', ')}`,
  `# from github.com/lord-alfred/ipranges (CC0 1.0), ${commitOf(ranges)}`,
  `# without ${RELAYS.join(', ')} of the same, and the VPNs of github.com/X4BNet/lists_vpn (MIT), ${commitOf(vpns)}`,
  '# IPv6 to /48.',
  ...networksOf(remaining.v4, 32, textOfV4),
  ...networksOf(remaining.v6, 48, textOfV6),
];
const text = `${lines.join('\n')}\n`;
writeFileSync(file, file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text);
console.log(
  `${file}: ${lines.length - 5} networks (${sizeOf(remaining)} ranges). ` +
    `Removed ${removed(clouds, remaining)} addresses or /48 networks of relays and VPNs.`,
);

function read(folder: string): string {
  return ['ipv4.txt', 'ipv6.txt']
    .map((name) => path.join(folder, name))
    .filter((each) => existsSync(each))
    .map((each) => readFileSync(each, 'utf8'))
    .join('\n');
}

function commitOf(repository: string): string {
  const args = ['-C', repository, 'log', '-1', '--format=commit %H of %cs'];
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/** Splits the ranges into as few networks (CIDR) as possible. */
function networksOf({ starts, ends }: Ranges, bits: number, textOf: (value: number) => string): string[] {
  const networks: string[] = [];
  starts.forEach((from, index) => {
    const end = ends[index] as number;
    for (let start = from; start <= end;) {
      let size = 1;
      let length = bits;
      while (start % (size * 2) === 0 && start + size * 2 - 1 <= end) {
        size *= 2;
        length -= 1;
      }
      networks.push(`${textOf(start)}/${length}`);
      start += size;
    }
  });
  return networks;
}

function textOfV4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

function textOfV6(value: number): string {
  return `${[32, 16, 0].map((shift) => (Math.floor(value / 2 ** shift) % 65_536).toString(16)).join(':')}::`;
}

function removed(before: Networks, after: Networks): number {
  const size = ({ v4, v6 }: Networks) =>
    [v4, v6]
      .flatMap(({ starts, ends }) => [...starts].map((start, index) => (ends[index] as number) - start + 1))
      .reduce((sum, each) => sum + each, 0);
  return size(before) - size(after);
}
