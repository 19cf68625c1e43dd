import { expect, it } from 'vitest';
import { contrast, correctionsOf, MIN_CONTRAST, readableAccent, SURFACES } from './accent.ts';

/** Colors from all over the cube of red, green and blue. */
const COLORS = ['00', '80', 'ff'].flatMap((red, _at, steps) =>
  steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
);

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  // The published examples of https://webaim.org/resources/contrastchecker/.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrast('#ffffff', '#0000ff')).toBeCloseTo(8.59, 2);
});

it('makes every accent readable on light and on dark pages, and its sign readable on the accent', () => {
  const unreadable = COLORS.filter((color) => {
    const { light, dark } = readableAccent(color);
    const pairs = [
      [light, SURFACES.light],
      [dark, SURFACES.dark],
      // The sign is white on the accent for light pages, and black on the one for dark pages.
      [light, '#ffffff'],
      [dark, '#000000'],
    ] as const;
    return pairs.some(([one, other]) => contrast(one, other) < MIN_CONTRAST);
  });
  expect(unreadable).toEqual([]);
});

it('leaves an accent alone where it has enough contrast, and names the corrections', () => {
  expect(readableAccent('#7c2d12').light).toBe('#7c2d12');
  expect(readableAccent('#fde047').dark).toBe('#fde047');
  expect(correctionsOf('#fde047').map(({ page }) => page)).toEqual(['light']);
  expect(correctionsOf('#7c2d12').map(({ page }) => page)).toEqual(['dark']);
  expect(correctionsOf('#ff0000').map(({ page }) => page)).toEqual(['light', 'dark']);
  for (const color of COLORS)
    for (const { page, color: corrected } of correctionsOf(color)) {
      expect(corrected).toBe(readableAccent(color)[page]);
      expect(corrected).not.toBe(color);
    }
});
