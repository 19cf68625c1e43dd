/** The proof that a browser rendered an ad: the layout that the tag reports is the one that the server expects. */
import { expect, it } from 'vitest';
import { isRenderProof } from '#domain/delivery/render-proof.ts';
import { snippet } from './support/publisher.ts';
import { rendered, useTag } from './support/tag-page.ts';

const tag = useTag();

/** Sixteen ends of tokens, in which each character of base64url comes at least once. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ENDS = Array.from({ length: 16 }, (_, zone) =>
  Array.from({ length: 8 }, (__, at) => ALPHABET[(zone * 8 + at * (zone + 3)) % 64]).join(''),
);

// Proves IVT-09
it.each([
  ['as it is', 1, ''],
  ['at a zoom of 110%', 1.1, ''],
  ['at a zoom of 75%', 0.75, ''],
  ['on a page with vertical text that runs from right to left', 1, 'writing-mode:vertical-rl;direction:rtl'],
])('reports the layout that the server expects, %s', async (_, zoom, style) => {
  for (const end of ENDS) tag.host.serve(end, { view: `${tag.host.origin}/view/${end}` });
  const body = ENDS.map((end) => snippet(tag.host.origin, end)).join('');
  const page = await tag.open(`<div style="zoom:${zoom};${style}">${body}</div>`, {
    stopped: true,
    context: { viewport: { width: 1600, height: 2400 } },
  });
  await rendered(page, ENDS, true);
  await page.clock.runFor(1500);
  await expect.poll(() => tag.host.to('/view/').length).toBe(ENDS.length);
  for (const { path, proof = '' } of tag.host.to('/view/'))
    expect([path, proof, isRenderProof(path, proof)]).toEqual([path, proof, true]);
});
