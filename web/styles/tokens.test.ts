import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const [lightPart = '', darkPart = ''] = css.split('@media (prefers-color-scheme: dark)');

function colors(part: string): Map<string, string> {
  return new Map(
    [...part.matchAll(/--color-([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );
}

const light = colors(lightPart);
const schemes = { light, dark: new Map([...light, ...colors(darkPart)]) };

/** The relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

const TEXT_PAIRS: [string, string[]][] = [
  ['ink', ['canvas', 'surface', 'sunken', 'accent-soft', 'lit-soft', 'good-soft', 'warn-soft', 'bad-soft']],
  ['ink-soft', ['canvas', 'surface', 'sunken', 'lit-soft']],
  ['ink-faint', ['canvas', 'surface', 'sunken']],
  ['accent', ['canvas', 'surface', 'accent-soft']],
  ['on-accent', ['accent', 'accent-strong']],
  ['on-lit', ['lit']],
  ['on-deep', ['deep', 'deep-raised']],
  ['on-deep-soft', ['deep', 'deep-raised']],
  ['good', ['surface', 'good-soft']],
  ['warn', ['surface', 'warn-soft']],
  ['bad', ['surface', 'canvas', 'bad-soft']],
  ['on-bad', ['bad', 'bad-strong']],
];

function tooFaint(pairs: [string, string[]][], least: number): string[] {
  return Object.entries(schemes).flatMap(([name, scheme]) =>
    pairs.flatMap(([mark, grounds]) =>
      grounds
        .filter((ground) => !(contrast(scheme.get(mark) ?? '', scheme.get(ground) ?? '') >= least))
        .map((ground) => `${name}: ${mark} on ${ground}`),
    ),
  );
}

it('text has the contrast of WCAG AA in both schemes', () => {
  expect(tooFaint(TEXT_PAIRS, 4.5)).toEqual([]);
});

it('control borders and the focus ring have a contrast of 3:1 in both schemes', () => {
  const grounds = ['surface', 'canvas'];
  expect(
    tooFaint(
      [
        ['line-strong', grounds],
        ['accent', grounds],
      ],
      3,
    ),
  ).toEqual([]);
});
