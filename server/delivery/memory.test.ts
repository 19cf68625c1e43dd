/** What the ad server keeps in memory only: promises, visitors' clicks, where a caller is. */
import type http from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressReader, networkOf } from './client-address.ts';
import { Reservations } from './reservations.ts';
import { createVisitors } from './visitors.ts';

describe('promised views', () => {
  const at = (second: number) => second * 1000;

  it('STATE-06 are held for a minute, and no longer than until the view comes', () => {
    const promised = new Reservations();
    for (const second of [0, 1, 59]) promised.take(at(second));
    expect(promised.outstanding(at(59))).toBe(3);
    promised.settle(at(1), at(59));
    expect(promised.outstanding(at(59))).toBe(2);
    // Reported twice, or long after: there is nothing more to release.
    promised.settle(at(1), at(59));
    expect(promised.outstanding(at(59))).toBe(2);
    expect(promised.outstanding(at(60))).toBe(1);
    promised.settle(at(0), at(61));
    expect(promised.outstanding(at(118))).toBe(1);
    expect(promised.outstanding(at(119))).toBe(0);
  });

  it('STATE-06 never go below nothing, after a long rest or with a clock set back', () => {
    const promised = new Reservations();
    promised.take(at(1000));
    expect(promised.outstanding(at(5000))).toBe(0);
    promised.take(at(5000));
    expect(promised.outstanding(at(4000))).toBe(0);
    promised.settle(at(4000), at(4000));
    expect(promised.outstanding(at(4000))).toBe(0);
  });
});

describe('visitors', () => {
  const ann = { address: '203.0.113.7', userAgent: 'Browser', zoneId: 1 };
  const NOW = Date.UTC(2026, 10, 21, 12);

  it('GEN-19 are told apart by network, browser and place, for a day', () => {
    const visitors = createVisitors();
    const key = visitors.keyOf(ann, NOW);
    expect(visitors.keyOf({ ...ann, address: '203.0.113.200' }, NOW)).toBe(key);
    for (const other of [{ address: '203.0.114.7' }, { userAgent: 'Other' }, { zoneId: 2 }]) {
      expect(visitors.keyOf({ ...ann, ...other }, NOW)).not.toBe(key);
    }
    expect(visitors.keyOf(ann, NOW + 86_400_000)).not.toBe(key);
  });

  it('GEN-19 may click an ad again after half an hour, and the same click may come twice', () => {
    const visitors = createVisitors();
    visitors.noteClick('ann', 1, 'first', NOW);
    expect(visitors.hasClicked('ann', 1, 'second', NOW + 1_799_999)).toBe(true);
    expect(visitors.hasClicked('ann', 1, 'second', NOW + 1_800_000)).toBe(false);
    expect(visitors.hasClicked('ann', 1, 'first', NOW + 1000)).toBe(false);
    expect(visitors.hasClicked('ann', 2, 'second', NOW + 1000)).toBe(false);
    expect(visitors.hasClicked('bob', 1, 'second', NOW + 1000)).toBe(false);
  });

  it('GEN-19 are remembered over the turn of the memory, and not without bound', () => {
    const visitors = createVisitors();
    visitors.noteClick('ann', 1, 'first', NOW + 1_790_000);
    visitors.noteClick('bob', 1, 'first', NOW + 1_810_000);
    expect(visitors.hasClicked('ann', 1, 'second', NOW + 1_820_000)).toBe(true);
    for (let each = 0; each < 300_000; each++) visitors.noteClick(`visitor ${each}`, 1, 'x', NOW + 1_820_000);
    expect(visitors.hasClicked('bob', 1, 'second', NOW + 1_820_000)).toBe(false);
    expect(visitors.hasClicked('visitor 299999', 1, 'y', NOW + 1_820_000)).toBe(true);
  });
});

describe('where a caller is', () => {
  const request = (remoteAddress: string, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    }) as unknown as http.IncomingMessage;

  it('GEN-19 is the socket’s address, whatever anybody writes, unless a trusted hop vouches for more', () => {
    const direct = addressReader([]);
    expect(direct(request('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(direct(request('::ffff:203.0.113.7'))).toBe('203.0.113.7');

    const behind = addressReader(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
    expect(behind(request('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(behind(request('10.0.0.1', '1.2.3.4, 203.0.113.7'))).toBe('203.0.113.7');
    expect(behind(request('10.0.0.1', '203.0.113.7, 192.0.2.1, 10.9.9.9'))).toBe('203.0.113.7');
    expect(behind(request('fd00::1', '2001:db8::7'))).toBe('2001:db8::7');
    expect(behind(request('10.0.0.1', 'unknown'))).toBe('10.0.0.1');
    expect(behind(request('10.0.0.1'))).toBe('10.0.0.1');
  });

  it('GEN-19 is looked at as far as the network only', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113');
    expect(networkOf('2001:db8:7:1::1')).toBe('2001:db8:7');
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0');
    expect(networkOf('2001:0db8:0007:1:2:3:4:5')).toBe('2001:db8:7');
    expect(networkOf('::1')).toBe('0:0:0');
    expect(networkOf('')).toBe('');
  });
});
