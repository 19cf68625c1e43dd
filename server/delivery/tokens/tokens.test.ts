import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CREATIVE } from '#domain/ads/variants.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { createTokens, subjectOf } from './tokens.ts';

const SECRET = 'a secret for tests of 32 characters or more';
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const decision = {
  subject: subjectOf({ zoneId: 7, adId: 4_000_000_000, video: false, creative: 0 }),
  reason: null,
  origin: 'ffff',
};

describe('the tokens of a decision', () => {
  const tokens = createTokens([SECRET]);

  // Proves GEN-19
  it('carry the decision and can be read by every server', () => {
    const other = createTokens([SECRET]);
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.nat(2 ** 32 - 1),
        fc.boolean(),
        fc.nat(MAX_CREATIVE),
        fc.option(fc.constantFrom(...REASONS)),
        fc.nat(65_535).map((number) => number.toString(16).padStart(4, '0')),
        fc.constantFrom('page', 'test', 'player'),
        fc.integer({ min: 0, max: Date.UTC(2058, 0) }),
        (zoneId, adId, video, creative, reason, origin, use, nowMs) => {
          const subject = subjectOf({ zoneId, adId, video, creative });
          const issued = tokens.issue({ subject, reason, origin, use }, nowMs);
          const view = other.read(issued.view, 'view', nowMs);
          const click = other.read(issued.click, 'click', nowMs);
          const claims = { zoneId, adId, video, creative, reason, origin, use, issuedAtMs: nowMs };
          expect(view).toMatchObject({ state: 'valid', claims: { kind: 'view', ...claims } });
          expect(click).toMatchObject({ state: 'valid', claims: { kind: 'click', ...claims } });
          // Both tokens have the same decision id, so that a click can imply its view.
          expect(view.state === 'valid' && click.state === 'valid' && view.claims.decisionId).toBe(
            click.state === 'valid' && click.claims.decisionId,
          );
        },
      ),
    );
  });

  // Proves GEN-19
  it('have 69 characters that need no escaping, and are never the same twice', () => {
    const many = Array.from({ length: 2000 }, () => tokens.issue(decision, NOW).view);
    expect(new Set(many).size).toBe(2000);
    for (const each of many) expect(each).toMatch(/^[\w-]{69}$/);
  });

  // Proves GEN-19
  it('share a signature if an ad is chosen often, and none is valid with the proof of another', () => {
    const busy = createTokens([SECRET]);
    const issued = Array.from({ length: 100 }, () => busy.issue(decision, NOW));
    const decisions = issued.map(({ view, click }) => {
      const [seen, clicked] = [tokens.read(view, 'view', NOW), tokens.read(click, 'click', NOW)];
      expect([seen.state, clicked.state]).toEqual(['valid', 'valid']);
      return seen.state === 'valid' && seen.claims.decisionId;
    });
    expect(new Set(decisions).size).toBe(100);
    // Two tokens of one run differ only in their index and their proof.
    const [one, next] = issued.slice(-2).map(({ view }) => view) as [string, string];
    expect(one.slice(0, 43)).toBe(next.slice(0, 43));
    expect(tokens.read(one.slice(0, 47) + next.slice(47), 'view', NOW).state).toBe('forged');
    // An index in another spelling would be another decision.
    for (const index of ['AAAQ', 'BAAB', '----'])
      expect(tokens.read(one.slice(0, 43) + index + one.slice(47), 'view', NOW).state).toBe('forged');
  });

  // Proves GEN-19
  it('carry the right claims within a run, and a time less than 100 ms before the decision', () => {
    const busy = createTokens([SECRET]);
    const claimsOf = (more: Partial<Parameters<typeof busy.issue>[0]>, nowMs: number) => {
      const reading = tokens.read(busy.issue({ ...decision, ...more }, nowMs).view, 'view', nowMs);
      return reading.state === 'valid' ? reading.claims : null;
    };
    for (let nowMs = NOW; nowMs < NOW + 1100; nowMs++) {
      // Some decisions come in groups, and not all of a group are alike.
      const group = nowMs % 100 < 50 ? 5 : 1;
      for (let each = 0; each < group; each++) {
        const more = {
          origin: each % 3 === 2 && nowMs % 7 === 0 ? 'aaaa' : 'ffff',
          reason: each % 3 === 1 && nowMs % 5 === 0 ? REASONS[0] : null,
          use: each % 2 === 1 && nowMs % 3 === 0 ? 'test' : 'page',
        } as const;
        const claims = claimsOf(more, nowMs);
        expect(claims).toMatchObject(more);
        const { issuedAtMs = NaN } = claims ?? {};
        expect([nowMs, issuedAtMs <= nowMs && nowMs - issuedAtMs < 20]).toEqual([nowMs, true]);
        expect(Math.floor(issuedAtMs / 1000)).toBe(Math.floor(nowMs / 1000));
      }
    }
  });

  // Proves GEN-19
  it('are invalid for the other purpose, with any changed character, or with another secret', () => {
    const { view, click } = tokens.issue(decision, NOW);
    expect(tokens.read(view, 'click', NOW).state).toBe('forged');
    expect(tokens.read(click, 'view', NOW).state).toBe('forged');
    for (let at = 0; at < view.length; at++) {
      const changed = view.slice(0, at) + (view[at] === 'A' ? 'B' : 'A') + view.slice(at + 1);
      expect(tokens.read(changed, 'view', NOW).state).toBe('forged');
    }
    expect(createTokens([`${SECRET}!`]).read(view, 'view', NOW).state).toBe('forged');
    for (const odd of [
      '',
      'x',
      view.slice(1),
      `${view}A`,
      '!'.repeat(68),
      `4${'!'.repeat(67)}`,
      `4${'é'.repeat(67)}`,
    ]) {
      expect(tokens.read(odd, 'view', NOW)).toEqual({ state: 'forged' });
    }
  });

  // Proves GEN-19
  it('expire after an hour for views and a day for clicks, and allow clocks to differ by a minute', () => {
    const { view, click } = tokens.issue(decision, NOW);
    expect(tokens.read(view, 'view', NOW + HOUR).state).toBe('valid');
    expect(tokens.read(view, 'view', NOW + HOUR + 1).state).toBe('expired');
    expect(tokens.read(click, 'click', NOW + DAY).state).toBe('valid');
    expect(tokens.read(click, 'click', NOW + DAY + 1).state).toBe('expired');
    expect(tokens.read(view, 'view', NOW - 60_000).state).toBe('valid');
    expect(tokens.read(view, 'view', NOW - 60_001).state).toBe('expired');
  });

  // Proves GEN-19
  it('stay valid across a change of keys for their lifetime, after which their key is no longer accepted', () => {
    const period = 30 * DAY;
    const lastMoment = Math.ceil(NOW / period) * period - 1;
    const { view, click } = tokens.issue(decision, lastMoment);
    expect(tokens.read(view, 'view', lastMoment + 60_000).state).toBe('valid');
    expect(tokens.read(click, 'click', lastMoment + DAY).state).toBe('valid');
    expect(tokens.read(click, 'click', lastMoment + period).state).toBe('expired');
    expect(tokens.read(click, 'click', lastMoment + period + 1).state).toBe('forged');
  });
});
