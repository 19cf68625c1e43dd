import { expect, it } from 'vitest';
import { icalendar } from './ical.ts';

const MADE = { by: 'Brot/Rad', at: new Date('2026-11-25T09:30:15.250Z') };

it('writes an all-day event with the day after the last one as its end', () => {
  const event = { uid: 'a@b', firstDay: '2026-12-30', lastDay: '2026-12-31', summary: 'Sold' };
  expect(icalendar('Sidebar', [event], MADE).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Brot Rad//Ad zone calendar//EN',
    'CALSCALE:GREGORIAN',
    'X-WR-CALNAME:Sidebar',
    'BEGIN:VEVENT',
    'UID:a@b',
    'DTSTAMP:20261125T093015Z',
    'DTSTART;VALUE=DATE:20261230',
    'DTEND;VALUE=DATE:20270101',
    'SUMMARY:Sold',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

it('escapes texts and folds lines without splitting a character, so that no text becomes a property', () => {
  const summary = `a;b,c\\d\nEND:VEVENT\r\n\u2028x\u0007${'é'.repeat(60)}${'💡'.repeat(30)}`;
  const text = icalendar('x', [{ uid: 'u', firstDay: '2026-12-01', lastDay: '2026-12-01', summary }], MADE);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
  const unfolded = text.replaceAll('\r\n ', '');
  expect(unfolded).toContain(
    String.raw`SUMMARY:a\;b\,c\\d\nEND:VEVENT\n\nx` + `${'é'.repeat(60)}${'💡'.repeat(30)}`,
  );
});
