/** The calendar of an ad zone, and the waiting list for its days. Days are in UTC. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { id, instant, okReply, pageQuery, pathId, referenceParams } from '../fields.ts';
import { DAY_STATES, WAITING_STATES } from './booking.ts';

const DAY_NEEDED = 'Enter a day such as 2026-12-03';

/** A day in UTC. */
export const day = z.iso.date(DAY_NEEDED);

export const calendarQuery = z.object({
  /** The first day; today without it. */
  from: day.optional(),
  /** The last day. */
  to: day.optional(),
});

export const getCalendar = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/calendar',
  summary:
    'The free, held and sold days of an ad zone, at most 400; without `from` and `to`, the 90 days from today',
  params: referenceParams,
  query: calendarQuery,
  reply: z.object({
    timezone: z.literal('UTC'),
    /** How many ads by the day can run at the same time; null without a limit. */
    slots: z.number().int().nullable(),
    /** The first day from today on with a free slot; null if there is none in the next 180 days. */
    nextFreeDay: day.nullable(),
    days: z.array(
      z.object({
        date: day,
        state: z.enum(DAY_STATES),
        /** Slots of ads that are not paid yet, or that are offered to the waiting list. */
        held: z.number().int(),
        /** Slots of paid ads. */
        sold: z.number().int(),
      }),
    ),
  }),
});
export type Calendar = Reply<typeof getCalendar>;

const waitingEntry = z.object({
  id,
  /** 1 for the person who is offered these days first. */
  position: z.number().int(),
  startDate: day,
  /** The last day. */
  endDate: day,
  state: z.enum(WAITING_STATES),
  /** Until then, only this person can book the days. */
  offeredUntil: instant.nullable(),
  productId: id.nullable(),
  quantity: z.number().int(),
  adZonePublicId: z.string(),
  adZoneName: z.string(),
  websitePublicId: z.string(),
  websiteName: z.string(),
});
export type WaitingEntry = z.output<typeof waitingEntry>;

export const joinWaitingList = endpoint({
  method: 'POST',
  path: '/api/ad-zones/:ref/waiting-list',
  summary:
    'Wait until all days of an ad are free in an ad zone; 409 if they are, or if you wait for one of them',
  params: referenceParams,
  body: z.object({
    productId: id,
    quantity: z.number().int().min(1).max(10_000).default(1),
    startDate: day,
  }),
  reply: waitingEntry,
  status: 201,
});

export const listWaitingEntries = endpoint({
  method: 'GET',
  path: '/api/waiting-list',
  summary: 'The days that you wait for, newest first',
  query: pageQuery,
  reply: z.array(waitingEntry),
  paged: true,
});

export const leaveWaitingList = endpoint({
  method: 'DELETE',
  path: '/api/waiting-list/:id',
  summary: 'Stop waiting; days that you were offered are offered to the next person',
  params: z.object({ id: pathId }),
  reply: okReply,
});
