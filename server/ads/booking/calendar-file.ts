import type { FastifyInstance } from 'fastify';
import { calendarQuery } from '#domain/ads/booking-contract.ts';
import { referenceParams } from '#domain/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';
import { type CalendarEvent, icalendar } from './ical.ts';
import { type CalendarDay, readCalendar } from './zone-calendar.ts';
import { addDays } from '#domain/time.ts';

const CALENDAR_FILE: CallDescription = {
  summary:
    'The held and sold days of an ad zone as iCalendar (RFC 5545); with the titles of the ads for its publisher',
  access: 'anyone',
  answers: {
    200: 'The calendar: without `from` and `to`, the 400 days from today',
    400: 'Not a day, or more than 400 days',
    404: 'No such ad zone in the marketplace, and none of your own',
  },
};

/** Calendar programs fetch the address again and again without a range, so it has all days that can be booked. */
const DEFAULT_DAYS = 400;

export function registerCalendarFiles(app: FastifyInstance, ctx: Context): void {
  app.get('/api/ad-zones/:ref/calendar.ics', { config: { call: CALENDAR_FILE } }, async (request, reply) => {
    const who = await signedInUser(ctx, request);
    const params = referenceParams.safeParse(request.params);
    if (!params.success) throw notFound();
    const query = parseInput(calendarQuery, request.query);
    const zone = await readCalendar(ctx, who, params.data.ref, query, DEFAULT_DAYS);
    const text = icalendar(
      `${zone.zoneName} on ${zone.websiteName}`,
      eventsOf(zone.days, zone.publicId, zone.isOwn),
      { by: ctx.config.brand.name, at: ctx.now() },
    );
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="calendar.ics"')
      .send(text);
  });
}

/** One event for each run of days that are full of the same kind of ads; for the owner, of days with the same ads. */
function eventsOf(days: readonly CalendarDay[], zone: string, isOwn: boolean): CalendarEvent[] {
  const events: CalendarEvent[] = [];
  for (const day of days) {
    const summary = isOwn ? ownSummary(day) : publicSummary(day);
    if (summary === null) continue;
    const before = events.at(-1);
    if (before?.summary === summary && addDays(before.lastDay, 1) === day.date) before.lastDay = day.date;
    else events.push({ uid: `${day.date}-${zone}@openslot`, firstDay: day.date, lastDay: day.date, summary });
  }
  return events;
}

function publicSummary({ state }: CalendarDay): string | null {
  return state === 'sold' ? 'Sold' : state === 'held' ? 'Held' : null;
}

function ownSummary({ titles, held, sold }: CalendarDay): string | null {
  if (titles.length === 0) return held > 0 ? 'On offer to the waiting list' : null;
  return `${sold === 0 ? 'Held' : held === 0 ? 'Sold' : 'Sold and held'}: ${titles.join(', ')}`;
}
