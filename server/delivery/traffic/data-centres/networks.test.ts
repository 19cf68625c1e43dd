import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { includes, NotANetwork, readNetworks, sizeOf, subtract } from './networks.ts';
import { SHIPPED } from './data-centres.ts';

const list = `
# A comment
198.51.100.0/25   # and one behind
198.51.100.128/25
192.0.2.7
10.0.0.0/8\r
2001:db8::/32
2001:db9:0:1::/64
::ffff:0:0/96
`;

describe('networks', () => {
  // Proves DEL-36
  it('contain exactly the addresses of the list', async () => {
    const networks = await readNetworks(list);
    const inside = [
      '198.51.100.0',
      '198.51.100.255',
      '192.0.2.7',
      '10.0.0.0',
      '10.255.255.255',
      '2001:db8::1',
    ];
    expect(
      [...inside, '2001:db8:ffff:1::', '2001:DB8:0:0:0:0:0:1', '2001:db9::2', '::1'].filter(
        (address) => !includes(networks, address),
      ),
    ).toEqual([]);
    const outside = ['198.51.99.255', '198.51.101.0', '192.0.2.6', '192.0.2.8', '9.255.255.255', '11.0.0.0'];
    expect(
      [
        ...outside,
        '2001:db7:ffff::',
        '2001:db9:1::',
        '::1:0:0:0:0:0',
        '',
        'unknown',
        '1.2.3',
        '300.1.1.1',
      ].filter((address) => includes(networks, address)),
    ).toEqual([]);
    // Neighboring networks merge into one range: 198.51.100.0/24, 192.0.2.7, 10.0.0.0/8, and for IPv6 ::/48 and
    // 2001:db8::/32 with 2001:db9::/48.
    expect(sizeOf(networks)).toBe(5);
    expect(includes(await readNetworks(''), '192.0.2.7')).toBe(false);
  });

  // Proves DEL-36
  it.each([
    'example.com',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '2001:db8::/129',
    '1-2',
    '10.0.0.0/-1',
  ])('reject %s and name its line', async (line) => {
    const error = await readNetworks(`10.0.0.0/8\n${line}\n`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotANetwork);
    expect((error as Error).message).toBe(`Line 2 is not a network: ${line}`);
  });

  // Proves DEL-36
  it('can be subtracted, to remove the relays that people’s own traffic uses', async () => {
    const clouds = await readNetworks('10.0.0.0/24\n10.0.2.0/24\n2001:db8::/46');
    const relays = await readNetworks('10.0.0.16/28\n10.0.0.255\n10.0.1.0/24\n10.0.2.0/23\n2001:db8:1::/64');
    const left = subtract(clouds, relays);
    const answers = (addresses: string[]) => addresses.map((address) => includes(left, address));
    expect(answers(['10.0.0.0', '10.0.0.15', '10.0.0.32', '10.0.0.254'])).toEqual([true, true, true, true]);
    expect(answers(['10.0.0.16', '10.0.0.31', '10.0.0.255', '10.0.2.0', '10.0.2.255'])).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(answers(['2001:db8::', '2001:db8:1::', '2001:db8:2::', '2001:db8:3::'])).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  // Proves DEL-36
  it('ship as a dated list of the big clouds’ networks, without reserved addresses', async () => {
    const text = gunzipSync(readFileSync(SHIPPED)).toString();
    expect(text).toMatch(/lord-alfred\/ipranges \(CC0 1\.0\), commit [\da-f]{40} of 2\d{3}-\d\d-\d\d/);
    const shipped = await readNetworks(text);
    expect(sizeOf(shipped)).toBeGreaterThan(3000);
    // An address each of Amazon, Google, Microsoft, DigitalOcean, Oracle, Linode and Vultr.
    const clouds = [
      '3.5.140.1',
      '34.64.0.1',
      '40.76.4.15',
      '138.68.1.1',
      '129.146.200.1',
      '23.92.16.1',
      '45.32.33.1',
    ];
    expect(
      [...clouds, '2600:1f18::1', '2600:1900::1'].filter((address) => !includes(shipped, address)),
    ).toEqual([]);
    const reserved = [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.1',
      '100.64.0.1',
      '203.0.113.7',
      '192.0.2.1',
      '198.51.100.1',
    ];
    expect(
      [...reserved, '::1', 'fe80::1', 'fc00::1', '2001:db8::1', '2002:102:304::1'].filter((address) =>
        includes(shipped, address),
      ),
    ).toEqual([]);
  });
});
