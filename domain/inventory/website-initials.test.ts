import { expect, it } from 'vitest';
import { initialsOf, spreadOf } from './website-initials.ts';

it.each([
  ['The Daily Kernel', 'DK'],
  ['Backlog', 'B'],
  ['a11y weekly', 'AW'],
  ['The', 'T'],
  ['Über-Räder & mehr', 'ÜR'],
  ['天気 news', '天N'],
  ['***', '*'],
  ['😀 fun', '😀F'],
])('draws the initials of %s as %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('draws a name the same each time, and different names in different ways', () => {
  const names = Array.from({ length: 60 }, (_each, n) => `Site ${n}`);
  expect(names.map(spreadOf)).toEqual(names.map(spreadOf));
  expect(new Set(names.map((name) => spreadOf(name) % 12)).size).toBeGreaterThan(9);
});
