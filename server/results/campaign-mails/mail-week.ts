/** The mails about the latest week that is over everywhere: one to each advertiser, and one to each publisher. */
import type { Days } from '#domain/analytics/days.ts';
import { dueWeek } from '#domain/campaign-mails/weeks.ts';
import { type PersonalKind, personalSwitch } from '#domain/notifications/notices.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Mail } from '#server/notify/layout.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { closeWeek, reachedOf, takeTurn, type Weekly, type WeekTable } from './store.ts';

/** The most turns of one run, so that it ends within its minute. The next one goes on. */
const MAX_TURNS = 500;

export type WeekMailing<Person extends Weekly> = {
  kind: PersonalKind;
  table: WeekTable;
  /** The next people by the numbers of their accounts, after `after`. */
  list: (tx: Tx, page: { days: Days; after: number; limit: number }) => Promise<Person[]>;
  mailAbout: (ctx: Context, days: Days, person: Person) => Promise<Mail>;
};

/**
 * Taking a turn and posting the mail are one transaction, so that several instances and a run that was killed mail nobody
 * twice.
 */
export async function mailTheWeek<Person extends Weekly>(
  ctx: Context,
  mailing: WeekMailing<Person>,
): Promise<void> {
  const { table, list } = mailing;
  const days = dueWeek(ctx.now());
  const after = await reachedOf(ctx.db, table, days.from);
  if (after === null) return;
  const people = await list(ctx.db, { days, after, limit: MAX_TURNS });
  for (const person of people) await mailTo(ctx, mailing, days, person);
  if (people.length < MAX_TURNS) await closeWeek(ctx.db, table, days.from, ctx.now());
}

async function mailTo<Person extends Weekly>(
  ctx: Context,
  { kind, table, mailAbout }: WeekMailing<Person>,
  days: Days,
  person: Person,
): Promise<void> {
  const isWanted = !person.isSuspended && personalSwitch(kind, person) !== null;
  const mail = isWanted ? await mailAbout(ctx, days, person).catch(noted(ctx, kind, person)) : null;
  await ctx.db.transaction().execute(async (tx) => {
    const isTheirs = await takeTurn(tx, table, days.from, person.userId);
    if (isTheirs && mail) await notifyPerson(ctx, tx, person, { kind, mail });
  });
}

/** The figures of one person must not hold up the others. */
const noted =
  ({ log }: Context, kind: PersonalKind, { userId }: Weekly) =>
  (error: unknown): null => {
    log.error({ err: error, userId, kind }, 'a mail about a week failed');
    return null;
  };
