/** The mail about a publisher's week: what was earned, what waits, and what is free to sell. */
import type { BreakdownRow } from '#domain/analytics/contract.ts';
import type { Days } from '#domain/analytics/days.ts';
import { type FreeZone, publisherWeekSentences } from '#domain/campaign-mails/publisher-week.ts';
import { centsOf } from '#domain/money.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { nextFreeDay } from '#server/ads/booking/zone-calendar.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { isolated, type Mail } from '#server/notify/layout.ts';
import { publisherWeekMail } from '#server/notify/mails/campaign-mail.ts';
import { breakdown } from '../analytics/over-time.ts';
import { countWaiting } from '../analytics/to-do/waiting.ts';
import { mailTheWeek } from './mail-week.ts';
import { listPublishers, listSoldZones, type Publisher } from './store.ts';

/** A publisher whose tags have asked for no ad for longer gets no mail. */
const SEEN_WITHIN_MS = 28 * DAY_MS;

/** Mails each publisher with an ad zone on a live page how their week was. */
export const mailPublisherWeek = async (ctx: Context): Promise<void> =>
  await mailTheWeek(ctx, {
    kind: 'publisher-week',
    table: 'publisherWeeks',
    list: async (tx, { after, limit }) =>
      await listPublishers(tx, { seenSince: later(ctx.now(), -SEEN_WITHIN_MS), after, limit }),
    mailAbout,
  });

/** Days are those of the publisher's timezone, as in their results. */
async function mailAbout(ctx: Context, days: Days, { userId, role }: Publisher): Promise<Mail> {
  const owner: Caller = { id: userId, role };
  const rows = await earnedByZone(ctx, owner, days);
  const { counts, payoutCents } = await countWaiting(ctx, owner);
  const sentences = publisherWeekSentences({
    earned: rows.map(({ name, place, amount }) => ({
      place: placeText(name, place ?? ''),
      cents: centsOf(amount),
    })),
    waiting: counts,
    payoutCents,
    free: await freeZones(ctx, userId),
    currency: ctx.config.currency,
  });
  return publisherWeekMail({ days, sentences }, ctx.config.publicUrl, ctx.payments.mode);
}

async function earnedByZone(ctx: Context, owner: Caller, days: Days): Promise<BreakdownRow[]> {
  const rows: BreakdownRow[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { side: 'seller', by: 'zone', ...days, ...(cursor && { cursor }) } as const;
    const { items, next } = await breakdown(ctx, owner, { query });
    rows.push(...items);
    cursor = next;
  } while (cursor);
  return rows;
}

/** The ad zones that have a free day, or need none, the most seen first. */
async function freeZones(ctx: Context, userId: number): Promise<FreeZone[]> {
  const free: FreeZone[] = [];
  for (const { id, name, website, slots } of await listSoldZones(ctx.db, userId)) {
    const from = slots === null ? null : await nextFreeDay(ctx, id);
    if (slots === null || from !== null) free.push({ place: placeText(name, website), from });
  }
  return free;
}

const placeText = (zone: string, website: string): string => `“${isolated(zone)}” on ${isolated(website)}`;
