import type { FastifyInstance, FastifyReply } from 'fastify';
import { calendarQuery } from '#domain/ads/booking-contract.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { referenceParams } from '#domain/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { ownAd } from './read.ts';
import { type CalendarEvent, icalendar } from './booking/ical.ts';
import { type CalendarDay, readCalendar } from './booking/zone-calendar.ts';
import { addDays, DAY_MS, later, utcDay } from '#domain/time.ts';

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

const AD_FILE: CallDescription = {
  summary: 'The days of one of your own ads as iCalendar (RFC 5545), once it has a start',
  access: 'user',
  right: 'ads',
  answers: { 200: 'The calendar', 404: 'Not one of your own ads, or one without a start' },
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
    return send(reply, text);
  });

  app.get('/api/ads/:ref/calendar.ics', { config: { call: AD_FILE } }, async (request, reply) => {
    const who = await admitUser(ctx, request);
    const params = referenceParams.safeParse(request.params);
    if (!params.success) throw notFound();
    const ad = await ownAd(ctx, who, { params: params.data });
    const event = eventOf(ad);
    if (event === null)
      throw notFound(
        ad.startDate === null
          ? 'This ad has no start yet.'
          : 'This ad ended before its start, so it has no day.',
      );
    const text = icalendar(event.summary, [event], { by: ctx.config.brand.name, at: ctx.now() });
    return send(reply, text);
  });
}

function send(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type('text/calendar; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', 'attachment; filename="calendar.ics"')
    .send(text);
}

/** The days of an ad: all days of one that is paid by the day, and the first day of one with a goal. */
function eventOf({ publicId, title, websiteName, adZoneName, startDate, endDate }: Ad): CalendarEvent | null {
  // One that ended before its start has no day.
  if (startDate === null || (endDate !== null && endDate <= startDate)) return null;
  const firstDay = utcDay(new Date(startDate));
  // An ad that starts at 00:00 ends at 00:00 of the day after its last one. One that ends within its first day has that.
  const lastDay = endDate === null ? firstDay : utcDay(later(new Date(endDate), -DAY_MS));
  return {
    uid: `${publicId}@openslot`,
    firstDay,
    lastDay: lastDay < firstDay ? firstDay : lastDay,
    summary: `${title}: ${adZoneName} on ${websiteName}`,
  };
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
