/** The ad server keeps these in memory only: reservations, visitors' events and client addresses. */
import type http from 'node:http';
import { describe, expect, it } from 'vitest';
import { CAPS, capScale, WEBSITE_VIEWS_PER_DAY } from '#domain/delivery/caps.ts';
import { createClientAddress, networkOf, wideNetworkOf } from './traffic/client-address.ts';
import { createThresholdCounter } from './decision/threshold-counter.ts';
import { createRecentCounts } from './traffic/recent-counts.ts';
import { Reservations } from './snapshot/reservations.ts';
import { createVisitors, type Visit, type Visitors } from './traffic/visitors.ts';

describe('reservations', () => {
  const at = (second: number) => second * 1000;

  // Proves STATE-06
  it('hold a view for a minute at most, and until it is reported', () => {
    const reservations = new Reservations();
    for (const second of [0, 1, 59]) reservations.reserve(at(second));
    expect(reservations.outstanding(at(59))).toBe(3);
    reservations.release(at(1), at(59));
    expect(reservations.outstanding(at(59))).toBe(2);
    // A repeated or late report has nothing more to release.
    reservations.release(at(1), at(59));
    expect(reservations.outstanding(at(59))).toBe(2);
    expect(reservations.outstanding(at(60))).toBe(1);
    reservations.release(at(0), at(61));
    expect(reservations.outstanding(at(118))).toBe(1);
    expect(reservations.outstanding(at(119))).toBe(0);
  });

  // Proves STATE-06
  it('never become negative, after a long pause or when the clock is set back', () => {
    const reservations = new Reservations();
    reservations.reserve(at(1000));
    expect(reservations.outstanding(at(5000))).toBe(0);
    reservations.reserve(at(5000));
    expect(reservations.outstanding(at(4000))).toBe(0);
    reservations.release(at(4000), at(4000));
    expect(reservations.outstanding(at(4000))).toBe(0);
  });
});

describe('visitors', () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  const MINUTE = 60_000;
  let decisions = 0;

  /** The outcomes of `times` events, as { counted: 3, frequency: 1 }. */
  function outcomes(visitors: Visitors, times: number, visit: Partial<Visit> = {}, at = NOW) {
    const seen: Record<string, number> = {};
    for (let time = 0; time < times; time++) {
      const reason = visitors.admit(
        {
          kind: 'view',
          adId: 1,
          websiteId: 1,
          publisherId: 1,
          capScale: 1,
          browserKind: 0,
          forPlayer: false,
          decisionId: String(decisions++),
          address: '203.0.113.7',
          userAgent: 'Browser',
          isPrivate: false,
          ...visit,
        },
        at,
      );
      seen[reason ?? 'counted'] = (seen[reason ?? 'counted'] ?? 0) + 1;
    }
    return seen;
  }

  // Proves GEN-19
  it('are distinguished by network, browser and website for a day', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    const click = { kind: 'click' as const };
    expect(outcomes(visitors, 1, click)).toEqual({ counted: 1 });
    expect(outcomes(visitors, 1, { ...click, address: '203.0.113.200' })).toEqual({ frequency: 1 });
    for (const other of [{ address: '203.0.114.7' }, { userAgent: 'Other' }, { websiteId: 2 }, { adId: 2 }]) {
      expect(outcomes(visitors, 1, { ...click, ...other })).toEqual({ counted: 1 });
    }
    // At midnight UTC the key changes, and every visitor is new.
    const midnight = Date.UTC(2026, 10, 22);
    expect(outcomes(visitors, 1, { ...click, adId: 3 }, midnight - MINUTE)).toEqual({ counted: 1 });
    expect(outcomes(visitors, 1, { ...click, adId: 3 }, midnight)).toEqual({ counted: 1 });
  });

  // Proves GEN-19
  it('may click an ad again after half an hour, and may repeat the same click at once', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    const first = { kind: 'click' as const, decisionId: 'first' };
    const second = { kind: 'click' as const, decisionId: 'second' };
    expect(outcomes(visitors, 2, first)).toEqual({ counted: 2 });
    expect(outcomes(visitors, 1, second, NOW + 30 * MINUTE - 1)).toEqual({ frequency: 1 });
    expect(outcomes(visitors, 1, second, NOW + 30 * MINUTE)).toEqual({ counted: 1 });
  });

  // Proves GEN-19
  it('are remembered when the window of a table ends, in memory of a bounded size', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    const click = (userAgent: string, minute: number) =>
      outcomes(visitors, 1, { kind: 'click', userAgent, adId: 1, address: '::1' }, NOW + minute * MINUTE);
    click('ann', 29);
    click('bob', 31);
    expect(click('ann', 32)).toEqual({ frequency: 1 });
    for (let each = 0; each < 300_000; each++) click(`visitor ${each}`, 32);
    expect(click('bob', 32)).toEqual({ counted: 1 });
    expect(click('visitor 299999', 32)).toEqual({ frequency: 1 });
  });

  // Proves DEL-38
  it('count for at most thirty views and three clicks of an ad a day', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    expect(outcomes(visitors, 40)).toEqual({ counted: 30, frequency: 10 });
    expect(outcomes(visitors, 1, { adId: 2 })).toEqual({ counted: 1 });
    const hours = [0, 1, 2, 3, 4].map((hour) =>
      outcomes(visitors, 1, { kind: 'click' }, NOW + hour * 60 * MINUTE),
    );
    expect(hours.map((hour) => Object.keys(hour)[0])).toEqual([
      'counted',
      'counted',
      'counted',
      'frequency',
      'frequency',
    ]);
    expect(outcomes(visitors, 1, {}, NOW + 86_400_000)).toEqual({ counted: 1 });
  });

  // Proves DEL-38
  it('count for at most ten clicks on a website in an hour', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    const clicked = Array.from({ length: 12 }, (_, adId) => outcomes(visitors, 1, { kind: 'click', adId }));
    expect(clicked.filter((each) => each['counted'])).toHaveLength(10);
    expect(clicked.at(-1)).toEqual({ activity: 1 });
    expect(outcomes(visitors, 1, { kind: 'click', adId: 11 }, NOW + 60 * MINUTE)).toEqual({ counted: 1 });
  });

  // Proves DEL-38, GEN-19
  it('share a limit for their network', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    /** The outcomes of events by different browsers. */
    const crowd = (times: number, visit: Partial<Visit> = {}) => {
      const seen: Record<string, number> = {};
      for (let time = 0; time < times; time++) {
        const [outcome = ''] = Object.keys(outcomes(visitors, 1, { userAgent: `Browser ${time}`, ...visit }));
        seen[outcome] = (seen[outcome] ?? 0) + 1;
      }
      return seen;
    };
    expect(crowd(700)).toEqual({ counted: 600, activity: 100 });
    expect(outcomes(visitors, 1, { userAgent: 'Another' })).toEqual({ activity: 1 });
    expect(outcomes(visitors, 1, { address: '203.0.114.7' })).toEqual({ counted: 1 });
    expect(outcomes(visitors, 1, { websiteId: 2 })).toEqual({ counted: 1 });
    expect(outcomes(visitors, 1, {}, NOW + MINUTE)).toEqual({ counted: 1 });
    expect(crowd(70, { kind: 'click' })).toEqual({ counted: 60, activity: 10 });
    const ipv6 = { address: '2001:db8:7:1::1' };
    expect(crowd(600, ipv6)).toEqual({ counted: 600 });
    expect(outcomes(visitors, 1, { ...ipv6, address: '2001:db8:7:ffff::2' })).toEqual({ activity: 1 });
    expect(outcomes(visitors, 1, { ...ipv6, address: '2001:db8:8::1' })).toEqual({ counted: 1 });
  });

  // Proves DEL-38, IVT-04
  it('of a network count as one with Global Privacy Control, whatever their browsers are', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    for (const kind of ['view', 'click'] as const) {
      const seen = new Set<string>();
      for (let time = 0; time < 40; time++) {
        const at = NOW + time * (kind === 'click' ? 31 : 1) * MINUTE;
        const visit = { kind, isPrivate: true, userAgent: `Browser ${time}` };
        if (outcomes(visitors, 1, visit, at)['counted']) seen.add(String(at));
        if (at > NOW + 11 * 60 * MINUTE) break;
      }
      expect(seen.size).toBe(kind === 'view' ? 30 : 3);
    }
    expect(outcomes(visitors, 1, { isPrivate: true, address: '203.0.114.7' })).toEqual({ counted: 1 });
  });

  // Proves DEL-38
  it('have no network limit on the server’s own machine, where a tool or an unknown proxy may run', () => {
    const visitors = createVisitors({ productionRules: false, fleet: { servers: 1 } });
    expect(outcomes(visitors, 700, { address: '127.0.0.1' })).toEqual({ counted: 700 });
    expect(outcomes(visitors, 700, { address: '::1' })).toEqual({ counted: 700 });
  });
});

describe('velocity caps of production', () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  const MINUTE = 60_000;
  const create = (servers = 1) => createVisitors({ productionRules: true, fleet: { servers } });
  let made = 0;

  /** The outcomes of the same number of visits in each of some minutes; `visitOf` gives the special fields of each. */
  function outcomes(
    visitors: Visitors | Visitors[],
    perMinute: number,
    minutes: number,
    visitOf: (index: number) => Partial<Visit>,
  ) {
    const seen: Record<string, number> = {};
    for (let index = 0; index < perMinute * minutes; index++) {
      const visit: Visit = {
        kind: 'view',
        adId: 1,
        websiteId: 1,
        publisherId: 1,
        capScale: 1,
        browserKind: index % 40,
        forPlayer: false,
        decisionId: String(made++),
        address: '203.0.113.7',
        userAgent: `Browser ${made}`,
        isPrivate: false,
        ...visitOf(index),
      };
      const one = Array.isArray(visitors) ? visitors[index % visitors.length]! : visitors;
      const reason = one.admit(visit, NOW + Math.floor(index / perMinute) * MINUTE) ?? 'counted';
      seen[reason] = (seen[reason] ?? 0) + 1;
    }
    return seen;
  }
  const many = (index: number) => ({ adId: index, publisherId: index });
  /** Another /24 in one /16 for each index; with `wide`, another /16. */
  const from = (index: number, wide = 0) => ({ address: `91.${wide}.${index % 256}.1` });

  // Proves IVT-04
  it('hold for a visitor, a network, the wide network around it, a kind of browser, an ad and a publisher', () => {
    const { visitor, network, wideNetwork, browser, ad, publisher } = CAPS;
    expect(outcomes(create(), 40, 2, (index) => ({ ...many(index), userAgent: 'One' }))).toEqual({
      counted: 2 * visitor.perMinute.view,
      activity: 80 - 2 * visitor.perMinute.view,
    });
    expect(outcomes(create(), 70, 2, many)).toEqual({
      counted: 2 * network.perMinute.view,
      network_cap: 140 - 2 * network.perMinute.view,
    });
    expect(outcomes(create(), 60, 100, many)).toEqual({
      counted: network.perDay.view,
      network_cap: 6000 - network.perDay.view,
    });
    expect(outcomes(create(), 700, 1, (index) => ({ ...many(index), ...from(index) }))).toEqual({
      counted: wideNetwork.perMinute.view,
      network_cap: 700 - wideNetwork.perMinute.view,
    });
    expect(outcomes(create(), 50, 4, () => ({ browserKind: 7 }))).toEqual({
      counted: browser.perDay.view,
      browser_cap: 200 - browser.perDay.view,
    });
    expect(outcomes(create(), 400, 2, (index) => from(index, index % 200))).toEqual({
      counted: 2 * ad.perMinute.view,
      ad_cap: 800 - 2 * ad.perMinute.view,
    });
    expect(
      outcomes(create(), 2000, 1, (index) => ({
        adId: index,
        websiteId: index % 9,
        ...from(index, index % 200),
      })),
    ).toEqual({ counted: publisher.perMinute.view, publisher_cap: 2000 - publisher.perMinute.view });
    const click = (index: number) => ({ ...many(index), kind: 'click' as const });
    expect(outcomes(create(), 10, 2, click)).toEqual({
      counted: 2 * network.perMinute.click,
      network_cap: 20 - 2 * network.perMinute.click,
    });
  });

  // Proves IVT-04
  it('let at most a sixth of 1,800 views count that twenty networks report within seconds', () => {
    const seen = outcomes(create(), 1800, 1, (index) => from(7, index % 20));
    // Each of the twenty has had its share of the ad when half of the minute's room is used. [SIVT-10]
    expect(seen['counted']).toBe(CAPS.ad.perMinute.view / 2);
    expect(seen['counted']).toBeLessThanOrEqual(1800 / 6);
  });

  // Proves IVT-04
  it('grow with the counted views of a large website, except for a visitor', () => {
    const large = { capScale: capScale(5 * WEBSITE_VIEWS_PER_DAY) };
    expect(outcomes(create(), 400, 1, () => large)).toEqual({
      counted: 5 * CAPS.network.perMinute.view,
      network_cap: 400 - 5 * CAPS.network.perMinute.view,
    });
    expect(
      outcomes(create(), 40, 1, (index) => ({ ...large, adId: index, userAgent: 'One' }))['counted'],
    ).toBe(30);
    expect([capScale(0), capScale(WEBSITE_VIEWS_PER_DAY)]).toEqual([1, 1]);
  });

  // Proves IVT-04
  it('of a day hold within a factor of two over any number of instances', () => {
    for (const servers of [2, 3, 8]) {
      const cap = CAPS.network.perDay.view;
      const spread = Array.from({ length: servers }, () => create(servers));
      const counted = outcomes(spread, 50, 400, many)['counted']!;
      expect(counted).toBeLessThanOrEqual(2 * cap);
      expect(counted).toBeGreaterThanOrEqual(cap);
      const sticky = outcomes(create(servers), 50, 400, many)['counted']!;
      expect(sticky).toBeGreaterThanOrEqual((2 * cap) / (servers + 1));
    }
  });

  // Proves IVT-04
  it('treat a loopback client like any network', () => {
    expect(outcomes(create(), 70, 1, (index) => ({ ...many(index), address: '127.0.0.1' }))).toEqual({
      counted: CAPS.network.perMinute.view,
      network_cap: 70 - CAPS.network.perMinute.view,
    });
  });
});

describe('recent counts', () => {
  // The upper half distinguishes the keys even in a small table.
  const key = (number: number) => (number << 16) | number;

  // Proves DEL-38
  it('are exact while there is room, and never too high without', () => {
    const counts = createRecentCounts(1000, 64);
    for (const each of [1, 2, 65]) for (let time = 0; time < each % 10; time++) counts.add(key(each), 0);
    expect([1, 2, 65, 66].map((each) => counts.of(key(each), 0))).toEqual([1, 2, 5, 0]);
    for (let time = 0; time < 70_000; time++) counts.add(key(7), 0);
    for (let each = 100; each < 10_000; each++) counts.add(key(each), 0);
    for (let each = 100; each < 10_000; each++) expect(counts.of(key(each), 0)).toBeLessThanOrEqual(1);
    // The key with the highest count is forgotten last.
    expect(counts.of(key(7), 999)).toBe(65_535);
    expect(counts.of(key(7), 1000)).toBe(0);
  });

  // Proves DEL-38, DEL-49
  it('do not confuse two keys in a table as large as those in use', () => {
    const counts = createRecentCounts(1000, 1 << 19);
    for (let time = 0; time < 9; time++) counts.add(0x1234_5678, 0);
    for (let bit = 0; bit < 32; bit++) expect(counts.of(0x1234_5678 ^ (1 << bit), 0)).toBe(0);
    expect(counts.of(0x1234_5678, 0)).toBe(9);
  });
});

describe('a threshold counter', () => {
  const key = (number: number) => Math.imul(number, 0x9e_37_79_b1);

  // Proves DEL-49
  it('knows the keys that reached the threshold, even after many notes at once, until the window ends', () => {
    const counter = createThresholdCounter(3, 10_000, 1 << 15);
    // More keys than fit into a batch. The last few are counted when their time is up.
    for (let time = 0; time < 3; time++)
      for (let each = 1; each <= 1000; each++) if (each % 3 <= time || each < 500) counter.note(key(each), 0);
    const seen = Array.from({ length: 2000 }, (_, each) => each).filter((each) =>
      counter.isReached(key(each), 1000),
    );
    const wanted = Array.from({ length: 1001 }, (_, each) => each).filter(
      (each) => each >= 1 && (each < 500 || each % 3 === 0),
    );
    expect(seen).toEqual(wanted);
    expect(counter.isReached(key(3), 9999)).toBe(true);
    expect(counter.isReached(key(3), 10_000)).toBe(false);
  });

  // Proves DEL-49
  it('counts a key within a second, even if no other key is noted', () => {
    const counter = createThresholdCounter(1, 10_000, 1 << 15);
    counter.note(7, 0);
    expect(counter.isReached(7, 999)).toBe(false);
    expect(counter.isReached(7, 1000)).toBe(true);
  });
});

describe('the client address', () => {
  const request = (remoteAddress: string, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    }) as unknown as http.IncomingMessage;

  // Proves GEN-19
  it('is the address of the socket, unless a trusted proxy forwards another', () => {
    const direct = createClientAddress([]).addressOf;
    expect(direct(request('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(direct(request('::ffff:203.0.113.7'))).toBe('203.0.113.7');

    const behind = createClientAddress(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']).addressOf;
    expect(behind(request('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7');
    expect(behind(request('10.0.0.1', '1.2.3.4, 203.0.113.7'))).toBe('203.0.113.7');
    expect(behind(request('10.0.0.1', '203.0.113.7, 192.0.2.1, 10.9.9.9'))).toBe('203.0.113.7');
    expect(behind(request('fd00::1', '2001:db8::7'))).toBe('2001:db8::7');
    // The client may write any number of addresses before its own.
    const many = Array.from({ length: 300 }, (_, at) => `198.51.100.${at % 250}`);
    expect(behind(request('10.0.0.1', `${many.join(', ')}, 203.0.113.7`))).toBe('203.0.113.7');
    for (const none of [
      'unknown',
      '',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.',
      '.1.2.3',
      '1.2.3.256',
      '1.2.03.4',
      '1.2.3.4:port',
    ])
      expect([none, behind(request('10.0.0.1', none))]).toEqual([none, '10.0.0.1']);
    for (const written of ['0.0.0.0', '255.255.255.255', '9.80.0.10'])
      expect(behind(request('10.0.0.1', written))).toBe(written);
    expect(behind(request('10.0.0.1'))).toBe('10.0.0.1');
  });

  // Proves DEL-49, GEN-19
  it('maps each IPv4 network to its own number, IPv6 networks to hashes, and loopback addresses to null', () => {
    const { networkNumberOf } = createClientAddress(['10.0.0.0/8']);
    const numberOf = (address: string) => networkNumberOf(request('10.0.0.1', address));
    const numbers = new Map<number | null, string>();
    for (const network of ['0.0.0', '0.0.1', '0.1.0', '1.0.0', '126.255.255', '128.0.0', '255.255.255']) {
      expect(numberOf(`${network}.0`)).toBe(numberOf(`${network}.255`));
      numbers.set(numberOf(`${network}.7`), network);
    }
    expect(numbers.size).toBe(7);
    expect(numberOf('255.255.255.1')).toBe(2 ** 24 - 1);
    expect(networkNumberOf(request('203.0.113.7'))).toBe(numberOf('203.0.113.8'));
    expect(networkNumberOf(request('::ffff:203.0.113.7'))).toBe(numberOf('203.0.113.8'));
    expect(numberOf('198.51.100.1, 203.0.113.7, 10.0.0.2')).toBe(numberOf('203.0.113.8'));
    // Without a trusted proxy the header is ignored.
    expect(networkNumberOf(request('203.0.113.7', '198.51.100.1'))).toBe(numberOf('203.0.113.8'));

    expect(numberOf('2001:db8:7:1::1')).toBe(numberOf('2001:0db8:0007:2::9'));
    const six = ['2001:db8:7::1', '2001:db8:8::1', '2001:db9:7::1', '2002:db8:7::1', '::2'].map(numberOf);
    expect(new Set(six).size).toBe(5);
    for (const here of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
      expect([here, networkNumberOf(request(here)), numberOf(here)]).toEqual([here, null, null]);
  });

  // Proves GEN-19
  it('is shortened to its network', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113');
    expect(wideNetworkOf('203.0.113.7')).toBe('203.0');
    expect(wideNetworkOf('2001:db8:7:1::1')).toBe('2001:db8');
    expect(networkOf('2001:db8:7:1::1')).toBe('2001:db8:7');
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0');
    expect(networkOf('2001:0db8:0007:1:2:3:4:5')).toBe('2001:db8:7');
    expect(networkOf('::1')).toBe('0:0:0');
    expect(networkOf('2001:db8::192.0.2.1')).toBe('2001:db8:0');
    expect(networkOf('1:2::3:4:5:6:7')).toBe('1:2:0');
    expect(networkOf('::2:3:4:5:6:7:8')).toBe('0:2:3');
    expect(networkOf('')).toBe('');
  });
});
