import { expect, it } from 'vitest';
import { isRenderProof, renderProof } from './render-proof.ts';

// Proves IVT-09
it('places the boxes of a decision as a browser does', () => {
  // Widths: A is 2 columns, D 5, G 8 to the left; a is 2, d 5 to the right. The layout has 12 columns of 8 pixels.
  expect(renderProof('/view/AAaaDGdA')).toBe('0,0,16,0,80,0,64,0,0,8,0,16,56,24,0,24');
});

// Proves IVT-09
it('accepts positions that a zoomed page rounded, and nothing else', () => {
  const address = '/view/AAaaDGdA';
  expect(isRenderProof(address, renderProof(address))).toBe(true);
  expect(isRenderProof(address, '0,0,15,0,81,1,64,0,0,8,1,16,56,23,0,24')).toBe(true);
  for (const other of [
    '',
    'rendered',
    '0,0,16,0,80,0,64,0,0,8,0,16,56,24,0',
    '0,0,16,0,80,0,64,0,0,8,0,16,56,24,0,16',
    `${renderProof(address)},0`,
    renderProof('/view/BAaaDGdA'),
    'NaN,0,16,0,80,0,64,0,0,8,0,16,56,24,0,24',
  ])
    expect(isRenderProof(address, other)).toBe(false);
});
