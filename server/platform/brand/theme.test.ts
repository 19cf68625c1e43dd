import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contrast } from '#domain/delivery/accent.ts';
import { accentProblem, DARK, deepColors, LIGHT, themesOf } from '#domain/theme.ts';
import { difference } from '#domain/color-difference.ts';
import { SCALE } from './theme.ts';

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

/** Each of them, or the color that is offered instead. */
const OFFERED = COLORS.map((color) => accentProblem(color)?.near ?? color);

const SIGNALS = ['bad', 'warn', 'good'] as const;

it('an accent that looks like errors, warnings or success is refused, with a near one that does not', () => {
  expect(accentProblem(LIGHT.bad)).toEqual({ kind: 'signal', signal: 'errors', near: '#b11d4e' });
  expect(accentProblem(LIGHT.warn)).toMatchObject({ kind: 'signal', signal: 'warnings' });
  expect(accentProblem(LIGHT.good)).toMatchObject({ kind: 'signal', signal: 'success' });
  for (const [color, signal] of [
    ['#c0240c', 'errors'],
    ['#9a3412', 'warnings'],
    ['#166534', 'success'],
    ['#047857', 'success'],
  ] as const)
    expect([color, accentProblem(color)]).toEqual([color, expect.objectContaining({ signal })]);
  // Teal, crimson, violet, blue, maroon, slate and black are no signals.
  for (const color of ['#0f766e', '#9b1d64', '#6d28d9', '#1d4ed8', '#7f1d1d', '#334155', '#000000'])
    expect([color, accentProblem(color)]).toEqual([color, null]);
  for (const color of OFFERED) {
    const { light, dark } = themesOf(color);
    for (const [theme, palette, accent] of [
      ['light', LIGHT, light.accent],
      // Without a rule of its own, because the mixture with white is far from them.
      ['dark', DARK, dark.accent],
    ] as const)
      for (const signal of SIGNALS)
        if (difference(accent, palette[signal]) < 0.06)
          expect.fail(`${color} looks like ${signal} on ${theme} pages`);
  }
});

it('an accent that is accepted has a contrast of 4.5 : 1 in both themes, and so has the color that is offered instead', () => {
  const accepted = COLORS.filter((color) => accentProblem(color) === null);
  expect(accepted.length).toBeGreaterThan(300);
  expect(accepted.length).toBeLessThan(COLORS.length - 300);
  for (const color of [...OFFERED, LIGHT.accent]) {
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
