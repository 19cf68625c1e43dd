/** The clock of a review: when the publisher is reminded, when an unanswered ad is rejected, and how long answers take. */
import { sql } from 'kysely';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The publisher is reminded this many days after the submission. */
export const REMINDER_DAYS = [1, 3] as const;

/** The columns of an ad whose review begins at `now`. */
export function beginReview({ config }: Context, now: Date) {
  return {
    withdrawnAt: null,
    reviewSince: now,
    answerDueAt: config.approvalDays === 0 ? null : later(now, config.approvalDays * DAY_MS),
    remindAt: later(now, REMINDER_DAYS[0] * DAY_MS),
  };
}

/** The next reminder after `now` of a review that began at `since`; null after the last one. */
export function nextReminder(since: Date, now: Date): Date | null {
  return REMINDER_DAYS.map((days) => later(since, days * DAY_MS)).find((at) => at > now) ?? null;
}

/** How many hours the publishers of websites usually take to answer, by website. Leaves out those without three answers. */
export async function usualAnswerHours(tx: Tx, websiteIds: readonly number[]): Promise<Map<number, number>> {
  if (websiteIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; hours: number | null }>`
    select id, usual_answer_hours(id) as hours from unnest(${[...websiteIds]}::integer[]) as id`.execute(tx);
  return new Map(rows.flatMap(({ id, hours }) => (hours === null ? [] : [[id, hours] as const])));
}

/** Notes the publisher's answer for the usual answer time of the website (server/platform/database/functions/ads/usual_answer_hours.sql). */
export async function noteAnswer(
  tx: Tx,
  ad: { websiteId: number; reviewSince: Date },
  answeredAt: Date,
): Promise<void> {
  const seconds = Math.max(0, Math.round((answeredAt.getTime() - ad.reviewSince.getTime()) / 1000));
  await tx.insertInto('reviewAnswers').values({ websiteId: ad.websiteId, answeredAt, seconds }).execute();
}
