/** 'Test my zone' (DEL-54 to DEL-56): what the ad server sees of a zone while its publisher watches. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, referenceParams } from '../fields.ts';
import { MINUTE_MS } from '../time.ts';
import { REASONS } from './reasons.ts';

/** The watch lasts this much longer than the last look: a browser asks rarely on behalf of a tab behind others. */
export const ZONE_WATCH_MS = 2 * MINUTE_MS;
/** After this time the publisher's screen stops looking by itself. */
export const LOOKING_MS = 10 * MINUTE_MS;
/** Requests that one look lists, the latest. */
export const MAX_REQUESTS = 20;

const followed = z.object({
  /** From the choice until it was reported, by the server's clock. */
  afterMs: z.number().int().min(0),
  /** Why it does not count, or null. */
  reason: z.enum(REASONS).nullable(),
});

const watchedRequest = z.object({
  id: z.string(),
  at: instant,
  /** Of the page that asked, such as 'https://daily.example'; null where the browser names none. */
  origin: z.string().nullable(),
  /** From the test page: nothing that follows is recorded or billed. */
  isTest: z.boolean(),
  /** The chosen ad; null: the publisher's own ad or 'Advertise here'. */
  ad: z.object({ title: z.string() }).nullable(),
  /** Why nothing that follows counts, or null. */
  reason: z.enum(REASONS).nullable(),
  /** It was drawn, and the page was left before it was viewable. */
  rendered: followed.nullable(),
  view: followed.nullable(),
  click: followed.nullable(),
});
export type WatchedRequest = z.output<typeof watchedRequest>;

export const zoneWatch = z.object({
  /** To be sent with the next look, which tells what came after the first one. */
  from: z.string(),
  /** A page that shows the zone with the real tag and the real choice, and bills nothing. */
  testPage: z.string(),
  /** Newest first. */
  requests: z.array(watchedRequest),
  /** When a page last loaded this zone's script, and of which origin; browsers keep it for an hour. */
  script: z.object({ at: instant, origin: z.string().nullable() }).nullable(),
  /** The name that a page of this website last asked for, though no zone has it. */
  unknown: z.object({ at: instant, asked: z.string() }).nullable(),
});
export type ZoneWatch = z.output<typeof zoneWatch>;

export const watchZone = endpoint({
  method: 'POST',
  path: '/api/ad-zones/:ref/watch',
  summary: "Watch one of one's own zones for two minutes more: what was asked of it and what followed",
  params: referenceParams,
  /** `from` is left out at the first look. */
  body: z.object({
    from: z
      .string()
      .regex(/^\d{1,18}$/)
      .nullish(),
  }),
  reply: zoneWatch,
});
