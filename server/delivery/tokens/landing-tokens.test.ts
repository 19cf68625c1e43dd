import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { createLandingTokens, type LandingTokens } from './landing-tokens.ts';

const tokens = createLandingTokens(['a secret for tests of 32 characters or more']);
const NOW = Date.UTC(2026, 10, 22, 12);
const CLAIMS = {
  adId: 2_147_483_647,
  zoneId: 7,
  decisionId: '00ff'.repeat(6),
  issuedAtMs: NOW - 5000,
  clickedAtMs: NOW,
};

// Proves EVID-02
it('reads the tokens that it made, for a day, also across a change of keys', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 * DAY_MS }),
      fc.integer({ min: 0, max: DAY_MS }),
      (at, later) => {
        const claims = { ...CLAIMS, clickedAtMs: NOW + at };
        const token = tokens.issue(claims);
        expect(tokens.read(token, NOW + at + later)).toEqual({ state: 'valid', claims });
      },
    ),
    { numRuns: 300 },
  );
  const token = tokens.issue(CLAIMS);
  expect(tokens.read(token, NOW - 30_000).state).toBe('valid');
  expect(tokens.read(token, NOW - 120_000).state).toBe('expired');
  expect(tokens.read(token, NOW + DAY_MS + 1).state).toBe('expired');
  expect(tokens.read(token, NOW + 100 * DAY_MS).state).toBe('forged');
});

// Proves EVID-02
it('refuses tokens that it did not make: each changed character, other spellings, other secrets', () => {
  const token = tokens.issue(CLAIMS);
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'Q' ? 'R' : 'Q') + token.slice(at + 1);
    expect(tokens.read(changed, NOW).state).toBe('forged');
  }
  for (const other of ['', token.slice(1), `${token}=`, `${token}AAAA`, token.replace(/./, '+')])
    expect(tokens.read(other, NOW).state).toBe('forged');
  expect(createLandingTokens(['another secret of 32 characters or more']).read(token, NOW).state).toBe(
    'forged',
  );
});

// Proves EVID-02
it('reveals nothing: two tokens of one click share no part, and neither contains its decision', () => {
  const [first, second] = [tokens.issue(CLAIMS), tokens.issue(CLAIMS)];
  const bytes = (token: string) => Buffer.from(token, 'base64url').toString('hex');
  expect(bytes(first)).not.toContain(CLAIMS.decisionId);
  const same = first.split('').filter((character, at) => character === second[at]).length;
  expect(same).toBeLessThan(20);
});

// Proves OPS-11
it('reads the tokens of each secret, and makes those of the first', () => {
  const [old, both, next] = [['old'], ['new', 'old'], ['new']].map((secrets) =>
    createLandingTokens(secrets as [string]),
  ) as [LandingTokens, LandingTokens, LandingTokens];
  expect(both.read(old.issue(CLAIMS), NOW)).toEqual({ state: 'valid', claims: CLAIMS });
  expect(next.read(both.issue(CLAIMS), NOW)).toEqual({ state: 'valid', claims: CLAIMS });
  expect(next.read(old.issue(CLAIMS), NOW)).toEqual({ state: 'forged' });
});
