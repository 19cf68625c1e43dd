import { expect, it } from 'vitest';
import { hourOfWeek } from './targeting/hour-of-week.ts';
import { targeting } from './targeting/fields.ts';
import { dateFormat } from './date-format.ts';
import { isTimezone, presentTimezone } from './timezones.ts';

it.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['Canada/East-Saskatchewan', 'America/Regina'],
  ['Europe/Oslo', 'Europe/Oslo'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['GMT', 'UTC'],
  ['Zulu', 'UTC'],
  ['Etc/GMT+3', 'Etc/GMT+3'],
  ['Mars/Olympus', null],
  ['+01:00', null],
  ['toString', null],
  ['', null],
  ['Europe/Berlin; drop', null],
  [`Europe/${'x'.repeat(60)}`, null],
])('the present name of the timezone “%s” is %s', (name, present) => {
  expect(presentTimezone(name)).toBe(present);
});

it('a present name stays as it is, also where V8 reports the one of the past', () => {
  const past = ['Asia/Katmandu', 'Pacific/Truk', 'Africa/Asmera', 'Atlantic/Faeroe', 'America/Godthab'];
  for (const name of past) {
    const present = presentTimezone(name);
    expect(present).not.toBe(name);
    expect(presentTimezone(present ?? '')).toBe(present);
  }
});

it('limits of ads and the clock of a visitor know the same timezones as settings do', () => {
  for (const name of [
    'utc',
    'GMT',
    'EST',
    'CET',
    'europe/berlin',
    'Etc/GMT+3',
    'US/Pacific',
    'Zulu',
    'No/Where',
  ]) {
    expect([name, hourOfWeek(name, 0) !== null]).toEqual([name, isTimezone(name)]);
    const limits = targeting.safeParse({ days: ['mon'], timezone: name });
    expect([name, limits.data?.timezone ?? null]).toEqual([name, presentTimezone(name)]);
  }
});

it('dates are shown by the device’s clock if the browser does not know the timezone', () => {
  const instant = new Date('2026-03-02T12:00:00Z');
  const options = { dateStyle: 'short', timeStyle: 'short' } as const;
  expect(dateFormat('en-US', { ...options, timeZone: 'Asia/Not_Yet' }).format(instant)).toBe(
    new Intl.DateTimeFormat('en-US', options).format(instant),
  );
});
