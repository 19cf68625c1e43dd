import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REASONS } from '#domain/delivery/reasons.ts';
import { createTokens, subjectOf } from './tokens.ts';

const SECRET = 'a secret for tests, 32 characters or more';
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const decision = {
  subject: subjectOf({ zoneId: 7, adId: 4_000_000_000, video: false }),
  reason: null,
  origin: 'ffff',
};

describe('tokens of a decision', () => {
  const tokens = createTokens(SECRET);

  it('GEN-19 say what was decided, on every copy of the server', () => {
    const other = createTokens(SECRET);
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.nat(2 ** 32 - 1),
        fc.boolean(),
        fc.option(fc.constantFrom(...REASONS)),
        fc.nat(65_535).map((number) => number.toString(16).padStart(4, '0')),
        fc.boolean(),
        fc.integer({ min: 0, max: Date.UTC(2058, 0) }),
        (zoneId, adId, video, reason, origin, isTest, nowMs) => {
          const subject = subjectOf({ zoneId, adId, video });
          const issued = tokens.issue({ subject, reason, origin, isTest }, nowMs);
          const view = other.read(issued.view, 'view', nowMs);
          const click = other.read(issued.click, 'click', nowMs);
          const claims = { zoneId, adId, video, reason, origin, isTest, issuedAtMs: nowMs };
          expect(view).toMatchObject({ state: 'valid', claims: { kind: 'view', ...claims } });
          expect(click).toMatchObject({ state: 'valid', claims: { kind: 'click', ...claims } });
          // One decision, so that a click can stand for its view.
          expect(view.state === 'valid' && click.state === 'valid' && view.claims.decisionId).toBe(
            click.state === 'valid' && click.claims.decisionId,
          );
        },
      ),
    );
  });

  it('GEN-19 are 68 characters that need no escaping, and never the same twice', () => {
    const many = Array.from({ length: 2000 }, () => tokens.issue(decision, NOW).view);
    expect(new Set(many).size).toBe(2000);
    for (const each of many) expect(each).toMatch(/^[\w-]{68}$/);
  });

  it('GEN-19 are worth nothing for the other purpose, changed in any character, or made with another secret', () => {
    const { view, click } = tokens.issue(decision, NOW);
    expect(tokens.read(view, 'click', NOW).state).toBe('forged');
    expect(tokens.read(click, 'view', NOW).state).toBe('forged');
    for (let at = 0; at < view.length; at++) {
      const changed = view.slice(0, at) + (view[at] === 'A' ? 'B' : 'A') + view.slice(at + 1);
      expect(tokens.read(changed, 'view', NOW).state).toBe('forged');
    }
    expect(createTokens(`${SECRET}!`).read(view, 'view', NOW).state).toBe('forged');
    for (const odd of [
      '',
      'x',
      view.slice(1),
      `${view}A`,
      '!'.repeat(68),
      `3${'!'.repeat(67)}`,
      `3${'é'.repeat(67)}`,
    ]) {
      expect(tokens.read(odd, 'view', NOW)).toEqual({ state: 'forged', adId: null });
    }
  });

  it('GEN-19 expire: views after an hour, clicks after a day; our own clocks may differ by a minute', () => {
    const { view, click } = tokens.issue(decision, NOW);
    expect(tokens.read(view, 'view', NOW + HOUR).state).toBe('valid');
    expect(tokens.read(view, 'view', NOW + HOUR + 1).state).toBe('expired');
    expect(tokens.read(click, 'click', NOW + DAY).state).toBe('valid');
    expect(tokens.read(click, 'click', NOW + DAY + 1).state).toBe('expired');
    expect(tokens.read(view, 'view', NOW - 60_000).state).toBe('valid');
    expect(tokens.read(view, 'view', NOW - 60_001).state).toBe('expired');
  });

  it('GEN-19 outlive a change of keys by their own lifetime, and no key outlives its use', () => {
    const period = 30 * DAY;
    const lastMoment = Math.ceil(NOW / period) * period - 1;
    const { view, click } = tokens.issue(decision, lastMoment);
    expect(tokens.read(view, 'view', lastMoment + 60_000).state).toBe('valid');
    expect(tokens.read(click, 'click', lastMoment + DAY).state).toBe('valid');
    expect(tokens.read(click, 'click', lastMoment + period).state).toBe('expired');
    expect(tokens.read(click, 'click', lastMoment + period + 1).state).toBe('forged');
  });
});
