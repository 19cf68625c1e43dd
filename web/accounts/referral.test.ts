import { beforeEach, expect, it, vi } from 'vitest';
import { captureReferral, clearReferral, REFERRAL_KEY, referralTarget, storedReferral } from './referral.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 21);
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  // Node's own localStorage would keep values between the tests.
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

// Proves STATE-25, ENT-35
it('captures a referral only when the address names both a website and a zone', () => {
  for (const search of ['', 'website=W', 'zone=Z', 'website=&zone=Z']) {
    expect(captureReferral(search, NOW)).toBe(false);
    expect(kept.size).toBe(0);
  }
  expect(captureReferral('website=W&zone=Z', NOW)).toBe(true);
  expect(JSON.parse(kept.get(REFERRAL_KEY) ?? '')).toEqual({ website: 'W', zone: 'Z', timestamp: NOW });
});

// Proves STATE-26, ENT-35
it('returns a referral for 24 hours and not after', () => {
  captureReferral('website=W&zone=Z', NOW);
  expect(storedReferral(NOW + 23 * HOUR)).toEqual({ website: 'W', zone: 'Z', timestamp: NOW });
  expect(storedReferral(NOW + 24 * HOUR + 60_000)).toBeNull();
});

// Proves STATE-26
it('removes a referral that expired, was cleared or cannot be parsed', () => {
  captureReferral('website=W&zone=Z', NOW);
  storedReferral(NOW + 25 * HOUR);
  expect(kept.size).toBe(0);

  captureReferral('website=W&zone=Z', NOW);
  clearReferral();
  expect(kept.size).toBe(0);

  for (const broken of ['{', 'null', '7', '{"website":"W"}']) {
    kept.set(REFERRAL_KEY, broken);
    expect(storedReferral(NOW)).toBeNull();
    expect(kept.size).toBe(0);
  }
});

// Proves AUTH-22
it('escapes the website and the zone in the address of the wizard', () => {
  expect(referralTarget({ website: 'a&b', zone: 'c d', timestamp: NOW })).toBe(
    '/create-ad?website=a%26b&zone=c+d',
  );
});

// Proves STATE-25
it('has no referral and throws nothing in a browser that forbids storage', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(captureReferral('website=W&zone=Z', NOW)).toBe(true);
  expect(storedReferral(NOW)).toBeNull();
});
