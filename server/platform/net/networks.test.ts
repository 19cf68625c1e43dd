import { expect, it } from 'vitest';
import { groupsOf, networksAround, subscriberOf, widestNetworkOf } from './networks.ts';

// Proves DOOR-14, SEC-15
it.each([
  ['192.0.2.7', ['192.0.2.7', '192.0.2.0/24']],
  ['::ffff:192.0.2.7', ['192.0.2.7', '192.0.2.0/24']],
  ['::ffff:c000:207', ['192.0.2.7', '192.0.2.0/24']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:DB8:1:2::9', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:0db8:0001:fe92::9', ['2001:db8:1:fe92::/64', '2001:db8:1:fe00::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
])('reads %s as a subscriber in wider networks', (ip, expected) => {
  expect(networksAround(ip).map(({ key }) => key)).toEqual(expected);
  expect([subscriberOf(ip), widestNetworkOf(ip)]).toEqual([expected[0], expected.at(-1)]);
});

it.each([
  ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
  ['::2:3:4:5:6:7:8', [0, 2, 3, 4, 5, 6, 7, 8]],
  ['::2:3:4:5:6:192.0.2.1', [0, 2, 3, 4, 5, 6, 0xc0_00, 0x2_01]],
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
])('reads the eight groups of %s', (ip, groups) => {
  expect(groupsOf(ip)).toEqual(groups);
});
