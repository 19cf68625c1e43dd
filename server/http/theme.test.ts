import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DARK, LIGHT } from './theme.ts';

const css = readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

const token = (part: string, name: string) => new RegExp(`--color-${name}: (#[0-9a-f]{6});`).exec(part)?.[1];

it('gives server-made pages and mails the colors of the web application', () => {
  for (const [name, value] of Object.entries(LIGHT))
    expect([name, token(light, name)]).toEqual([name, value]);
  for (const [name, value] of Object.entries(DARK)) expect([name, token(dark, name)]).toEqual([name, value]);
});
