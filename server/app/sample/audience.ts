import { AUDIENCE_DAYS } from '#domain/delivery/audience.ts';
import { VOTE_MS, votesOfNetwork } from '#domain/delivery/votes.ts';
import { VISITOR } from '#domain/targeting/limits.ts';
import { createAudience } from '#server/delivery/audience/audience.ts';
import type { Context } from '#server/platform/context.ts';
import { randomFrom } from './rhythm.ts';

/** The networks that vote for a zone in a week. */
const NETWORKS = 120;

/** Each value as often as such websites have it. */
const PLACES = ['US', 'US', 'US', 'US', 'DE', 'DE', 'GB', 'GB', 'FR', 'IN', null];
const LANGUAGES = ['en', 'en', 'en', 'en', 'de', 'fr', 'es'];
const DEVICES = ['phone', 'phone', 'phone', 'desktop', 'desktop', 'tablet'];
const PATHS = ['/', '/', '/archive', '/articles/start-here', '/articles/tools', '/about'];
const HOURS = [8, 9, 12, 13, 17, 18, 19, 20, 20, 21, 21, 22];

/** Lets made-up visitors vote for each measured zone. The pages of a website state its category as a topic. */
export async function addAudiences({ db, now }: Context): Promise<void> {
  const zones = await db
    .selectFrom('zoneMeasurements')
    .innerJoin('adZones', 'adZones.id', 'zoneMeasurements.zoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['adZones.id', 'websites.category'])
    .where('zoneMeasurements.days', '>', 0)
    .orderBy('adZones.id')
    .execute();
  const audience = createAudience(db);
  const random = randomFrom(zones.length);
  const one = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  for (const { id, category } of zones) {
    const topics = [[category.toLowerCase()], [category.toLowerCase(), 'news'], ['guides'], []];
    for (let week = 0; week < votesOfNetwork(AUDIENCE_DAYS); week++) {
      for (let network = 0; network < NETWORKS; network++) {
        const hour = Math.floor(random() * 7) * 24 + one(HOURS);
        const facts = {
          country: one(PLACES),
          region: null,
          language: one(LANGUAGES),
          device: one(DEVICES),
          path: one(PATHS),
          topics: one(topics),
          hourOfWeek: (timezone: string) => (timezone === VISITOR ? hour : (hour + 3) % (7 * 24)),
        };
        audience.vote(id, facts, network, now().getTime() - week * VOTE_MS);
      }
    }
    await audience.flush();
  }
}
