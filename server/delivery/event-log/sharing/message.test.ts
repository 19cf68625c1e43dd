import { expect, it } from 'vitest';
import { decode } from './message.ts';

// Proves RES-46
it('reads the events of an instance that does not know of second creatives, and refuses unknown ones', () => {
  const event = {
    decisionId: '0123456789abcdef01234567',
    kind: 'view',
    adId: 1,
    zoneId: 1,
    issuedAtMs: 1_800_000_000_000,
    reason: null,
    implied: false,
  };
  const read = (events: unknown[]) =>
    decode(new TextEncoder().encode(JSON.stringify({ receivedAtMs: 1_800_000_000_000, events })));
  expect(read([event])).toMatchObject({ events: [{ creative: 0 }] });
  expect(read([{ ...event, creative: 16 }])).toMatchObject({ events: [{ creative: 16 }] });
  for (const creative of [-1, 17, 1.5, '1']) expect(read([{ ...event, creative }])).toHaveProperty('wrong');
});
