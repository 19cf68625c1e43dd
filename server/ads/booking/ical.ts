/** Writes calendars in the iCalendar format (RFC 5545). */
import { addDays } from '#domain/time.ts';

export type CalendarEvent = {
  /** Stays the same as long as the event is the same, so that calendar programs update it. */
  uid: string;
  firstDay: string;
  lastDay: string;
  summary: string;
};

/** A calendar of all-day events, written by a marketplace with this name at the time of the answer. */
export function icalendar(
  name: string,
  events: readonly CalendarEvent[],
  { by, at }: { by: string; at: Date },
): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(by.replaceAll('/', ' '))}//Ad zone calendar//EN`,
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(({ uid, firstDay, lastDay, summary }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${basic(firstDay)}`,
      // The end of an all-day event is the day after its last one.
      `DTEND;VALUE=DATE:${basic(addDays(lastDay, 1))}`,
      `SUMMARY:${escaped(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

const basic = (day: string): string => day.replaceAll('-', '');

// The format has no other control characters than the line break (3.3.11).
function escaped(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/g, String.raw`\$&`)
      .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, String.raw`\n`)
      // oxlint-disable-next-line no-control-regex -- control characters are exactly what is dropped here
      .replaceAll(/[\u0000-\u001f\u007f]/g, '')
  );
}

const MAX_OCTETS = 75;

/** Breaks a line after at most 75 octets, never inside a character (3.1). The next line begins with a space. */
function folded(line: string): string {
  let result = '';
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > MAX_OCTETS) {
      result += '\r\n ';
      octets = 1;
    }
    result += character;
    octets += length;
  }
  return result;
}
