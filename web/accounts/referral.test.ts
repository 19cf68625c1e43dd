import { beforeEach, expect, it, vi } from 'vitest';
import { captureReferral, clearReferral, REFERRAL_KEY, referralTarget, storedReferral } from './referral.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 21);
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  // Node has no storage that forgets.
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

// Proves STATE-25, CONST-05
it('is captured only when both website and zone are present', () => {
  for (const search of ['', 'website=W', 'zone=Z', 'website=&zone=Z']) {
    expect(captureReferral(search, NOW)).toBe(false);
    expect(kept.size).toBe(0);
  }
  expect(captureReferral('website=W&zone=Z', NOW)).toBe(true);
  expect(JSON.parse(kept.get(REFERRAL_KEY) ?? '')).toEqual({ website: 'W', zone: 'Z', timestamp: NOW });
});

// Proves STATE-26, CONST-05
it('lives for 24 hours', () => {
  captureReferral('website=W&zone=Z', NOW);
  expect(storedReferral(NOW + 23 * HOUR)).toEqual({ website: 'W', zone: 'Z', timestamp: NOW });
  expect(storedReferral(NOW + 24 * HOUR + 60_000)).toBeNull();
});

// Proves STATE-27
it('is removed when expired, when cleared, and when it cannot be read', () => {
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
it('leads to the wizard with website and zone, whatever they contain', () => {
  expect(referralTarget({ website: 'a&b', zone: 'c d', timestamp: NOW })).toBe(
    '/create-ad?website=a%26b&zone=c+d',
  );
});

// Proves STATE-25
it('a browser that forbids storage has no referral and no error', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(captureReferral('website=W&zone=Z', NOW)).toBe(true);
  expect(storedReferral(NOW)).toBeNull();
});
