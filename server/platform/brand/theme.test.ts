import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contrast } from '#domain/delivery/accent.ts';
import { accentProblem, DARK, deepColors, LIGHT, SCALE, themesOf } from './theme.ts';

const css = readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

const token = (part: string, name: string) => new RegExp(`--color-${name}: (#[0-9a-f]{6});`).exec(part)?.[1];

it('the server’s pages and mails use the colors, fonts and sizes of the web application', () => {
  for (const [name, value] of Object.entries(LIGHT))
    expect([name, token(light, name)]).toEqual([name, value]);
  for (const [name, value] of Object.entries(DARK)) expect([name, token(dark, name)]).toEqual([name, value]);
  const sizes = light.replaceAll(/\s+/g, ' ');
  for (const [name, value] of Object.entries(SCALE)) expect(sizes).toContain(` --${name}: ${value};`);
});

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`;
/** Every 24th step of each channel, from black to white. */
const COLORS = Array.from({ length: 12 ** 3 }, (_, at) =>
  hex(((at % 12) * 23) | (((Math.floor(at / 12) % 12) * 23) << 8) | ((Math.floor(at / 144) * 23) << 16)),
);

it('an accent that is accepted has a contrast of 4.5 : 1 in both themes, and so has the color that is offered instead', () => {
  const accepted = COLORS.filter((color) => accentProblem(color) === null);
  expect(accepted.length).toBeGreaterThan(300);
  expect(accepted.length).toBeLessThan(COLORS.length - 300);
  for (const color of [...COLORS.map((each) => accentProblem(each)?.near ?? each), LIGHT.accent]) {
    expect([color, accentProblem(color)]).toEqual([color, null]);
    for (const palette of Object.values(themesOf(color)))
      for (const [text, ground] of [
        ['accent', 'canvas'],
        ['accent', 'surface'],
        ['accent', 'accent-soft'],
        ['on-accent', 'accent'],
        ['on-accent', 'accent-strong'],
        ['ink', 'accent-soft'],
      ] as const)
        expect(
          contrast(palette[text], palette[ground]),
          `${text} on ${ground} with ${color}`,
        ).toBeGreaterThanOrEqual(4.5);
    const deep = deepColors(color);
    for (const ground of [deep.deep, deep['deep-raised']])
      for (const text of [deep['on-deep-soft'], '#eef7f9'])
        expect(
          contrast(text, ground),
          `${text} on ${ground} of a panel with ${color}`,
        ).toBeGreaterThanOrEqual(4.5);
  }
});
