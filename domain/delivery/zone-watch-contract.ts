/** 'Test my zone': what the ad server sees of a zone while its publisher tests it. [DEL-54] */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, referenceParams } from '../fields.ts';
import { REASONS } from './reasons.ts';

const followed = z.object({
  /** The time from the decision to the report, by the server's clock. */
  afterMs: z.number().int().min(0),
  /** Why the event does not count, or null. */
  reason: z.enum(REASONS).nullable(),
});

const watchedRequest = z.object({
  id: z.string(),
  at: instant,
  /** The origin of the page, such as 'https://daily.example'; null if the browser sends none. */
  origin: z.string().nullable(),
  /** True for the test page, and for a sample ad. The events that follow are not recorded or billed. */
  isTest: z.boolean(),
  /** Whether the publisher was shown a sample ad. */
  isSample: z.boolean(),
  /** The chosen ad; null for the publisher's own ad or 'Advertise here'. */
  ad: z.object({ title: z.string() }).nullable(),
  /** Why the events that follow do not count, or null. */
  reason: z.enum(REASONS).nullable(),
  /** Set if the ad was rendered and the page was left or covered before the ad was viewable. */
  rendered: followed.nullable(),
  view: followed.nullable(),
  click: followed.nullable(),
});
export type WatchedRequest = z.output<typeof watchedRequest>;

export const zoneWatch = z.object({
  /** Send this with the next call. It then lists what has happened since the first call. */
  from: z.string(),
  /** A page that shows the zone with the real tag and the real selector, and bills nothing. */
  testPage: z.string(),
  /**
   * With this ending, an address of the website shows a sample ad in this ad zone for ten minutes, only in the browser and the
   * network of the caller.
   */
  sampleEnding: z.string(),
  /** Newest first. */
  requests: z.array(watchedRequest),
  /** When a page last loaded this zone's script, and from which origin. Browsers cache the script for an hour. */
  script: z.object({ at: instant, origin: z.string().nullable() }).nullable(),
  /** The last unknown zone id that a page of this website requested. */
  unknown: z.object({ at: instant, asked: z.string() }).nullable(),
});
export type ZoneWatch = z.output<typeof zoneWatch>;

export const watchZone = endpoint({
  method: 'POST',
  path: '/api/ad-zones/:ref/watch',
  summary: 'Watches one of your ad zones for two more minutes: its requests and the events that followed',
  params: referenceParams,
  /** Leave `from` out in the first call. */
  body: z.object({
    from: z
      .string()
      .regex(/^\d{1,18}$/)
      .nullish(),
  }),
  reply: zoneWatch,
});
