/**
 * The frequency cap is soft: other ads come before a capped ad, and no visitor sees an empty zone because of the cap.
 */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { BROWSER, makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeZoneOf, randomOf } from '#server/testing/delivery/simulate.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import { chooseAd, type IsCapped } from './choose-ad.ts';
import { createClientAddress } from '../traffic/client-address.ts';
import { createFrequencyCap, type FrequencyCap, FREQUENCY_CAP } from './frequency-cap.ts';
import { browserOf } from '../traffic/traffic.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const requestOf = (address: string, userAgent = BROWSER, headers: Record<string, string> = {}) =>
  ({
    headers: { 'user-agent': userAgent, ...headers },
    socket: { remoteAddress: address },
  }) as unknown as Request;
const create = () => createFrequencyCap(createClientAddress([]).networkNumberOf);
const visitorOf = (frequency: FrequencyCap, request: Request, nowMs = NOON) =>
  frequency.visitorOf(request, browserOf(request.headers['user-agent'] ?? ''), nowMs);

describe('the choice of an ad', () => {
  const shares = (isCapped: IsCapped | null, count: number) => {
    const zone = makeZoneOf(
      10_000,
      Array.from({ length: count }, () => ({ name: '', pricingModel: 'per_day', amount: 9 }) as const),
    );
    const random = randomOf(7);
    const shown = Array<number>(count).fill(0);
    for (let draw = 0; draw < 20_000; draw++) {
      const ad = chooseAd(zone, null, 0, random, isCapped);
      // An empty answer would count for no ad, and the shares would add up to less than one.
      shown[zone.ads.findIndex((each) => each === ad)]! += 1;
    }
    return shown.map((views) => views / 20_000);
  };

  // Proves DEL-49
  it('gives a capped ad a fifth of its weight while the zone has other ads', () => {
    const [capped, ...others] = shares(({ id }) => id === 1, 3);
    expect(capped).toBeCloseTo(0.2 / 2.2, 1);
    for (const other of others) expect(other).toBeCloseTo(1 / 2.2, 1);
  });

  // Proves DEL-49
  it('keeps equal shares when all ads are capped, and always shows a single ad', () => {
    for (const share of shares(() => true, 4)) expect(share).toBeCloseTo(0.25, 1);
    expect(shares(() => true, 1)).toEqual([1]);
    expect(shares(null, 2)[0]).toBeCloseTo(0.5, 1);
  });
});

describe('the frequency cap', () => {
  // Proves DEL-49
  it('recognizes a visitor by network and browser for one day, and caps an ad after six times', () => {
    const frequency = create();
    const visitor = visitorOf(frequency, requestOf('203.0.113.7')) as number;
    expect(visitorOf(frequency, requestOf('203.0.113.99'))).toBe(visitor);
    expect(visitorOf(frequency, requestOf('203.0.112.7'))).not.toBe(visitor);
    expect(visitorOf(frequency, requestOf('203.0.113.7', `${BROWSER} Edg/1`))).not.toBe(visitor);
    const six = visitorOf(frequency, requestOf('2001:db8:7:1::1'));
    expect(visitorOf(frequency, requestOf('2001:db8:7:2::9'))).toBe(six);
    expect(visitorOf(frequency, requestOf('2001:db8:8:1::1'))).not.toBe(six);

    for (let time = 0; time < FREQUENCY_CAP; time++) {
      expect(frequency.isCapped(visitor, 5, NOON)).toBe(false);
      frequency.note(visitor, 5, NOON);
    }
    // A noted ad takes effect within a second.
    const soon = NOON + 1000;
    expect(frequency.isCapped(visitor, 5, soon)).toBe(true);
    expect(frequency.isCapped(visitor, 6, soon)).toBe(false);
    expect(frequency.isCapped(visitor, 5, soon + DAY_MS)).toBe(false);
  });

  // Proves DEL-49
  it('gives a visitor another number on the next day and in another server', () => {
    const frequency = create();
    const request = requestOf('203.0.113.7');
    const today = visitorOf(frequency, request);
    expect(visitorOf(frequency, request, NOON + DAY_MS)).not.toBe(today);
    expect(visitorOf(create(), request)).not.toBe(today);
  });

  // Proves DEL-29, DEL-49
  it('gives no number to a visitor with Global Privacy Control, or on this machine', () => {
    const frequency = create();
    expect(visitorOf(frequency, requestOf('203.0.113.7', BROWSER, { 'sec-gpc': '1' }))).toBeNull();
    for (const address of ['127.0.0.1', '::1']) expect(visitorOf(frequency, requestOf(address))).toBeNull();
  });

  // Proves DEL-49
  it('gives almost every one of ten thousand pairs of network and browser its own number', () => {
    const frequency = create();
    const numbers = new Set<number>();
    for (let at = 0; at < 10_000; at++) {
      const address = `${(at % 90) + 1}.${(at * 7) % 256}.${Math.floor(at / 100)}.1`;
      numbers.add(visitorOf(frequency, requestOf(address, `Browser/${at % 50}`)) as number);
    }
    expect(numbers.size).toBeGreaterThan(9990);
  });
});

describe('the ad server', () => {
  const server = useOwnAdServer({ TRUSTED_PROXIES: '127.0.0.1' });

  // Proves DEL-29, DEL-49
  it('shows a new ad first to visitors who have reached the caps of the others, but not with Global Privacy Control', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    for (const title of ['Old one', 'Old two']) await makeRunningAd(server.ctx, zoneId, { title, amount: 5 });
    await server.app.refreshDelivery();
    const ask = async (visitor: number, headers: Record<string, string>) =>
      (await server.ask([zone], { headers: { 'x-forwarded-for': `198.51.${visitor}.4`, ...headers } }))[0]
        ?.title;
    const visitors = Array.from({ length: 60 }, (_, at) => at);
    const gpc: Record<string, string> = { 'sec-gpc': '1' };
    const askForEach = async (times: number) => {
      const titles: Record<'distinguished' | 'private', (string | undefined)[]> = {
        distinguished: [],
        private: [],
      };
      for (const visitor of visitors) {
        for (let time = 0; time < times; time++) {
          titles.distinguished.push(await ask(visitor, {}));
          titles.private.push(await ask(visitor, gpc));
        }
      }
      return titles;
    };
    // Chance divides each visitor's requests between the two ads. With sixteen requests, a fifth of the visitors would
    // not reach the cap of one of them.
    await askForEach(24);
    await makeRunningAd(server.ctx, zoneId, { title: 'New', amount: 5 });
    await server.app.refreshDelivery();
    const titles = await askForEach(4);
    const share = (of: (string | undefined)[]) => of.filter((title) => title === 'New').length / of.length;
    // 1 / 1.4 = 71% is expected, against a third. Each limit is four standard deviations of 240 draws away.
    expect(share(titles.distinguished)).toBeGreaterThan(0.58);
    expect(share(titles.private)).toBeLessThan(0.46);
    expect(titles.private.concat(titles.distinguished).every((title) => title !== undefined)).toBe(true);
  });

  // Proves DEL-49
  it('counts an ad towards its cap even while it is the only one in the zone', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    await makeRunningAd(server.ctx, zoneId, { title: 'Alone', amount: 5 });
    await server.app.refreshDelivery();
    const titles = async (times: number) => {
      const shown: (string | undefined)[] = [];
      for (let visitor = 0; visitor < 60; visitor++)
        for (let time = 0; time < times; time++)
          shown.push(
            (await server.ask([zone], { headers: { 'x-forwarded-for': `203.0.${visitor}.4` } }))[0]?.title,
          );
      return shown;
    };
    expect(new Set(await titles(FREQUENCY_CAP))).toEqual(new Set(['Alone']));
    await makeRunningAd(server.ctx, zoneId, { title: 'New', amount: 5 });
    await server.app.refreshDelivery();
    const shown = await titles(4);
    // 1 / 1.2 = 83% is expected, against a half. The limit is five standard deviations of 240 draws away.
    expect(shown.filter((title) => title === 'New').length / shown.length).toBeGreaterThan(0.66);
  });
});
