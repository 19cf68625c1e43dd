import { expect, it } from 'vitest';
import { createSiteProof } from './site-proof.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const zone = '0b9f7f0c-5a57-4d3e-9a39-2f4f6f0f2d11';

// Proves OPS-11
it('accepts the proof of each secret, and makes those of the first', () => {
  const old = createSiteProof(['old']).nameOf(zone, 'frame', NOW);
  const both = createSiteProof(['new', 'old']);
  const next = createSiteProof(['new']);
  expect(both.read(old, 'frame', NOW)).toEqual({ zone, proven: true });
  expect(next.read(both.nameOf(zone, 'frame', NOW), 'frame', NOW)).toEqual({ zone, proven: true });
  expect(next.read(old, 'frame', NOW)).toEqual({ zone, proven: false });
});
