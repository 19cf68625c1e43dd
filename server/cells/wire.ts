/**
 * The messages between a cell and its marketplace (docs/decisions/118-cells.md). A cell asks, and the marketplace answers.
 * Within a version, fields are only added: the other side may be of another release, and leaves out what it does not know.
 */
import { z } from 'zod';
import { AD_TYPES } from '#domain/ads/types.ts';
import { EVENT_KINDS, REASONS } from '#domain/delivery/reasons.ts';
import { VOTE_KINDS } from '#domain/delivery/votes.ts';

export const CELLS_PATH = '/api/cells/v1';

/** One answer has so many ad zones, and one request the figures of so many ads. */
export const ZONES_AT_ONCE = 100;
export const FIGURES_AT_ONCE = 300;
export const SIGHTINGS_AT_ONCE = 200;
/** Each hour has about ten figures of 40 bytes. */
export const MAX_FIGURES_BYTES = 4 * 1024 ** 2;

const instant = z.iso.datetime();
/** As PostgreSQL keeps ids and counts. */
const integer = z.int().min(0).max(2_147_483_647);
const file = z.object({
  name: z.string(),
  rendition: z.string().regex(/^[\w-]+\.\w+$/),
  contentType: z.string(),
  byteSize: z.number(),
  width: z.number(),
  height: z.number(),
  durationMs: z.number().nullable(),
});
export type SentFile = z.output<typeof file>;

const creative = z.object({
  publicId: z.string(),
  title: z.string(),
  description: z.string(),
  targetUrl: z.string(),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
});

const ad = creative.extend({
  id: z.number(),
  adType: z.enum(AD_TYPES),
  targeting: z.unknown(),
  pricingModel: z.string(),
  duration: z.number().nullable(),
  impressions: z.number().nullable(),
  clicks: z.number().nullable(),
  startDate: instant,
  endDate: instant.nullable(),
  /** Something about the ad keeps it from being shown now. */
  isBlocked: z.boolean(),
  advertiserId: z.number(),
  /** The name that visitors may see. */
  advertiser: z.string(),
  /** Counted events that were withdrawn as invalid, which the ad has to deliver again. */
  withdrawnViews: z.number(),
  withdrawnClicks: z.number(),
  second: creative.extend({ id: z.number(), number: z.number() }).nullable(),
});

const zone = z.object({
  id: z.number(),
  publicId: z.string(),
  name: z.string(),
  width: z.number(),
  height: z.number(),
  zoneType: z.string(),
  look: z.string(),
  accent: z.string().nullable(),
  houseTitle: z.string().nullable(),
  houseDescription: z.string().nullable(),
  houseUrl: z.string().nullable(),
  excludes: z.unknown(),
  /** Whether it is sold and serves ads. */
  isOffered: z.boolean(),
  websiteId: z.number(),
  websitePublicId: z.string(),
  websiteUrl: z.string(),
  category: z.string(),
  monthlyVisitors: z.number(),
  publisherId: z.number(),
  /** The lowest price, for 'Advertise here'. */
  offer: z
    .object({
      id: z.number(),
      adType: z.string(),
      price: z.string(),
      pricingModel: z.string(),
      duration: z.number().nullable(),
      impressions: z.number().nullable(),
      clicks: z.number().nullable(),
    })
    .nullable(),
  ads: z.array(ad),
});
export type SentZone = z.output<typeof zone>;

const position = z.object({ horizon: z.string().regex(/^\d+$/), database: z.string() });

/** Zones with all that serves their ads, after which position, and who says so. */
export const zonesAnswer = z.object({
  marketplace: z.string(),
  cell: z.string(),
  currency: z.string(),
  position,
  zones: z.array(zone),
  files: z.array(file),
  /** Zones that are not there any more. */
  gone: z.array(z.number()),
  /** Zones whose requests their publisher watches now with 'Test my zone'. */
  watched: z.array(z.object({ zoneId: z.number(), until: instant })).default([]),
  /** Read on after this zone; null after the last one. */
  next: z.number().nullable(),
  /** All zones have to be read again, because the changes are those of another database server. */
  reload: z.boolean(),
});
export type ZonesAnswer = z.output<typeof zonesAnswer>;

const after = z.coerce.number().int().min(0).max(2_147_483_647);
export const zonesQuery = z.object({ after });
export const changesQuery = position.extend({ after });

const figure = z.object({
  zoneId: integer,
  /** Null: the decisions without an ad. */
  adId: integer.nullable(),
  /** When the ad reached its goal, if it has. */
  endedAt: instant.nullable(),
  /** All hours that the counts are of. Those of an hour are complete. */
  hours: z.array(instant).max(1000),
  counts: z
    .array(
      z.tuple([
        instant,
        z.enum(['decision', 'excluded', ...EVENT_KINDS, ...VOTE_KINDS]),
        z.enum(['', ...REASONS]),
        integer.min(1),
      ]),
    )
    .max(30_000),
  /** The counts of each creative since the ad began: creative, kind, number. */
  creatives: z.array(z.tuple([integer.max(32_767), z.enum(['view', 'click']), integer])).max(100),
});
export type SentFigure = z.output<typeof figure>;

/** What the cell has seen of a watched zone. */
const sighting = z.object({
  zoneId: integer,
  seenAtMs: z.number().min(0).max(4_102_444_800_000),
  kind: z.enum(['script', 'unknown', 'request', 'rendered', 'view', 'click']),
  isTest: z.boolean(),
  origin: z.string().max(300).nullable(),
  decision: z.string().max(40).nullable(),
  adId: integer.nullable(),
  reason: z.enum(REASONS).nullable(),
  afterMs: integer.nullable(),
  asked: z.string().max(100).nullable(),
});

export const figuresBody = z.object({
  release: z.string().max(40),
  /** With these figures, the marketplace has all up to this time; null if there are more to send. */
  countedUntil: instant.nullable(),
  figures: z.array(figure).max(FIGURES_AT_ONCE),
  sightings: z.array(sighting).max(SIGHTINGS_AT_ONCE).default([]),
});
export type FiguresBody = z.output<typeof figuresBody>;

export const figuresAnswer = z.object({
  marketplace: z.string(),
  cell: z.string(),
  refused: z.array(z.object({ zoneId: z.number(), adId: z.number().nullable(), why: z.string() })),
});
export type FiguresAnswer = z.output<typeof figuresAnswer>;
