import { expect, it } from 'vitest';
import { timezoneOptions } from './timezone-options.ts';

const labels = (inForce: string, ofBrowser: string) =>
  timezoneOptions(inForce, ofBrowser).map(({ label }) => label);
const LISTED = ['UTC', 'Eastern', 'Central', 'Mountain', 'Pacific', 'London', 'Paris', 'Tokyo'];

it('Settings offers the timezone in force and that of the browser, each once and by its present name', () => {
  expect(labels('UTC', 'Europe/Paris')).toEqual(LISTED);
  expect(labels('UTC', 'Asia/Calcutta')).toEqual([...LISTED, 'Asia/Kolkata']);
  expect(labels('Asia/Kolkata', 'Asia/Calcutta')).toEqual([...LISTED, 'Asia/Kolkata']);
  expect(labels('Asia/Tokyo', 'America/St_Johns')).toEqual([...LISTED, 'America/St Johns']);
  expect(labels('Europe/Berlin', 'Asia/Kolkata')).toEqual([...LISTED, 'Europe/Berlin', 'Asia/Kolkata']);
});

it('an unknown timezone of a browser is no choice', () => {
  expect(labels('UTC', 'Nowhere/Town')).toEqual(LISTED);
});
