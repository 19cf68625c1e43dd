/** The calls about where ads stand on pages, as the measured viewability tells. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { DEVICES, type MeasuredPlace } from '../delivery/place.ts';
import { pageQuery, referenceParams } from '../fields.ts';
import { CHANGES } from './position.ts';

const compared = z.object({
  recent: z.number().nullable(),
  before: z.number().nullable(),
  /** Set if the figure has changed by more than half of what it was. */
  change: z.enum(CHANGES).nullable(),
});

/** The share of rendered ads that became viewable in the last 7 days, and in the 28 before; null with too few. */
const position = compared.extend({
  /** Of measured page views in the last 7 days, and in the 20 before; null with too few. */
  secondsInView: compared,
  /** The share of them with at least half of the ad zone on the first screen. */
  firstScreen: compared,
});

const size = z.object({ width: z.number(), height: z.number() });

const measuredPlace = z.object({
  device: z.enum(DEVICES),
  reports: z.number().int(),
  secondsInView: z.number(),
  firstScreen: z.number(),
  screen: size,
  page: size,
  box: size.extend({ x: z.number(), y: z.number() }),
}) satisfies z.ZodType<MeasuredPlace>;

export const getPosition = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/placement',
  summary:
    'The measured viewability and place of the ad zone of one of your own ads, and what of it has changed by more than half',
  params: referenceParams,
  reply: position.extend({
    /** Where it stands on phones and on larger screens; empty with too few measured page views. */
    places: z.array(measuredPlace),
  }),
});

export type AdPosition = Reply<typeof getPosition>;

const zoneNames = {
  /** Public id of the zone. */
  zone: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
};

export const listPlaces = endpoint({
  method: 'GET',
  path: '/api/analytics/places',
  summary:
    'Where your own ad zones stand on pages and how long they are in view, once page views have been measured',
  query: pageQuery.extend({ zone: z.uuid().optional() }),
  reply: z.array(z.object({ ...zoneNames, places: z.array(measuredPlace) })),
  paged: true,
});
export type ZonePlaces = Reply<typeof listPlaces>[number];

export const listPositionChanges = endpoint({
  method: 'GET',
  path: '/api/analytics/placement-changes',
  summary:
    'Your own ad zones whose viewability, time in view or place has changed by more than half, at most 100',
  reply: z.array(position.extend(zoneNames)),
});
export type PositionChange = Reply<typeof listPositionChanges>[number];

const measuredPage = z.object({
  /** Measured page views. */
  reports: z.number().int(),
  /** The share of them, from 0 to 1, with the ad zone in view for at least a second. */
  viewable: z.number(),
});

export const getPages = endpoint({
  method: 'GET',
  path: '/api/analytics/pages',
  summary:
    'On which pages of the website one of your own ad zones was measured, and how often it was in view there',
  query: z.object({ zone: z.uuid() }),
  reply: z.object({
    all: measuredPage,
    /** At most 50 pages with at least 20 measured page views, the most viewed first. */
    pages: z.array(
      measuredPage.extend({
        /** Such as '/sport/tennis', percent-encoded. */
        path: z.string(),
        secondsInView: z.number(),
      }),
    ),
    /** The page views of all other pages. */
    others: measuredPage,
  }),
});
export type ZonePages = Reply<typeof getPages>;
