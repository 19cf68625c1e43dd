import { expect, it } from 'vitest';
import { readableAccent } from './accent.ts';
import { adStyle, siteLabel } from './ad-style.ts';

const zone = { width: 300, height: 250, look: 'plain', accent: null } as const;
/** A sheet as a map of its rules, with the last declarations of a selector. */
const rulesOf = (css: string) =>
  new Map([...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => [selector, body]));
const titleSize = (width: number, height: number) =>
  Number(/(?:^|\})b\{font-size:(\d+)px/.exec(adStyle({ ...zone, width, height }, 'text'))?.[1]);

it('scales the title with the zone', () => {
  expect([titleSize(320, 50), titleSize(728, 90), titleSize(300, 250), titleSize(970, 250)]).toEqual([
    13, 19, 23, 31,
  ]);
});

it('reserves only complete lines of text that fit into the zone', () => {
  const tooHigh: string[] = [];
  for (let width = 20; width <= 1000; width += 49)
    for (let height = 1; height <= 700; height += 17) {
      const css = adStyle({ ...zone, width, height }, 'text');
      const [, title = 0, titleLines = 0] =
        /(?:^|\})b\{font-size:(\d+)px;-webkit-line-clamp:(\d+)/.exec(css)?.map(Number) ?? [];
      const [, text = 0, textLines = 0] =
        /\}span\{font-size:(\d+)px;-webkit-line-clamp:(\d+)/.exec(css)?.map(Number) ?? [];
      const used = title * 1.25 * titleLines + text * 1.4 * textLines;
      if (textLines > 0 && used > height) tooHigh.push(`${width}x${height}`);
    }
  expect(tooHigh).toEqual([]);
});

it('takes only the font, the text color and the color scheme from the page', () => {
  const base = rulesOf(adStyle(zone, 'text')).get('a') ?? '';
  expect(base.startsWith('all:initial;')).toBe(true);
  expect(base.split(';').filter((declaration) => declaration.endsWith(':inherit'))).toEqual([
    'color:inherit',
    'color-scheme:inherit',
    'font-family:inherit',
    'visibility:inherit',
  ]);
});

it('shows a card on a surface of its own, and an accent only as corrected for light and dark pages', () => {
  const accent = '#fde047';
  const { light, dark } = readableAccent(accent);
  const card = adStyle({ ...zone, look: 'card', accent }, 'text');
  expect(card).toContain('Canvas;color:CanvasText');
  expect(card).toContain(`light-dark(${light},${dark})`);
  expect(card.replaceAll(`${accent}14`, '')).not.toContain(`background:${accent}`);
  expect(adStyle(zone, 'text')).not.toContain('background');
});

it('is small enough to travel with each ad', () => {
  for (const look of ['plain', 'card'] as const)
    for (const content of ['text', 'media', 'open'] as const)
      expect(adStyle({ ...zone, look, accent: '#c2410c' }, content).length).toBeLessThan(1700);
});

it('calls the site of an ad by its host', () => {
  expect(siteLabel(new URL('https://www.kernelroast.example/beans?x=1'))).toBe('kernelroast.example');
  expect(siteLabel(null)).toBe('');
});
