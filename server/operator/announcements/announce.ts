/** Announcements: a bar on every page, and a mail to every account. */
import type { Context } from '#server/platform/context.ts';
import { announced, storedAnnouncement, readSettings } from '#server/platform/database/settings.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { type Operator, perform, record } from '../act.ts';
import {
  endAnnouncement,
  findMailing,
  insertAnnouncement,
  listMailed,
  lockAnnouncements,
  moveMailing,
  countMailed,
} from './store.ts';

export type Announced = { id: number; text: string; until: Date | null; isMailed: boolean };

/**
 * Shows a text on every page in place of the present one, and mails it to every account if `mail` is true. Throws 400 for
 * a time that is over.
 */
export async function announce(
  ctx: Context,
  operator: Operator,
  { text, until, mail, reason }: { text: string; until: Date | null; mail: boolean; reason: string },
): Promise<Announced> {
  const now = ctx.now();
  if (until !== null && until <= now) throw invalid('Please choose a time in the future.', 'until');
  const made = await perform(ctx, operator, async (tx) => {
    await lockAnnouncements(tx);
    await endAnnouncement(tx, now);
    const id = await insertAnnouncement(tx, {
      text,
      until,
      madeAt: now,
      madeBy: operator.id,
      mailedThrough: mail ? 0 : null,
    });
    if (mail) await enqueue(tx, 'mail-announcement', { announcementId: id });
    await record(ctx, tx, operator, {
      act: 'announce',
      subject: 'announcement',
      subjectId: id,
      affectedId: null,
      reason: `“${text}”${mail ? ', also by mail' : ''}. ${reason}`.trim(),
    });
    return { id, text, until, isMailed: mail };
  });
  await readSettings(ctx.db, ctx.config);
  return made;
}

/** Takes the announcement off every page, and stops its mailing. Throws 409 if there is none. */
export async function stopAnnouncing(
  ctx: Context,
  operator: Operator,
  { reason }: { reason: string },
): Promise<{ text: string }> {
  const ended = await perform(ctx, operator, async (tx) => {
    await lockAnnouncements(tx);
    const row = await endAnnouncement(tx, ctx.now());
    if (!row) throw conflict('There is no announcement.');
    await record(ctx, tx, operator, {
      act: 'end-announcement',
      subject: 'announcement',
      subjectId: row.id,
      affectedId: null,
      reason: `“${row.text}”. ${reason}`.trim(),
    });
    return { text: row.text };
  });
  await readSettings(ctx.db, ctx.config);
  return ended;
}

/** The announcement of this moment, and how many accounts its mail has reached; null if there is none. */
export async function showAnnouncement(
  ctx: Context,
): Promise<{ text: string; until: Date | null; mailed: number | null } | null> {
  const present = await storedAnnouncement(ctx.db);
  if (present === null || announced(present, ctx.now()) === null) return null;
  return { ...present, mailed: await countMailed(ctx.db) };
}

/** The mails of one transaction. */
const BATCH = 200;

/**
 * The job 'mail-announcement': mails an announcement to every account, in batches. A batch and the number of its last
 * account are committed together, so that a repeated job mails nobody twice. Ends early with the announcement.
 */
export async function mailAnnouncement(ctx: Context, announcementId: number): Promise<void> {
  while (await mailBatch(ctx, announcementId));
}

async function mailBatch(ctx: Context, id: number): Promise<boolean> {
  return await ctx.db.transaction().execute(async (tx) => {
    const mailing = await findMailing(tx, id, ctx.now());
    if (!mailing) return false;
    const people = await listMailed(tx, { after: mailing.mailedThrough, limit: BATCH });
    const { name } = ctx.config.brand;
    for (const { email } of people)
      await postMessage(ctx, tx, {
        recipient: email,
        kind: 'announcement',
        offSwitch: 'emailNotifications',
        mail: {
          subject: `News from ${name}`,
          heading: `News from ${name}`,
          paragraphs: [mailing.text],
          action: { label: `Open ${name}`, url: ctx.config.publicUrl },
          note: `You get this mail because you have an account at ${name}.`,
        },
      });
    const last = people.at(-1);
    if (last) await moveMailing(tx, id, last.id);
    return people.length === BATCH;
  });
}
