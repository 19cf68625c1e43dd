import { FAULT_CAUSES, faultText, isForOperator } from '#domain/delivery/fault-causes.ts';
import { TELL_AFTER_MS } from '#domain/delivery/faults.ts';
import { later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { faultMail, mailAlarm } from '#server/notify/mails/operator-mail.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { claimTelling, faultsForOperator, publisherOf, untoldFaults } from './store.ts';

/** An alarm names this many websites. The console has all. */
const MAX_NAMED = 20;

/** The causes that only the operator can mend. */
const FOR_OPERATOR = FAULT_CAUSES.filter(isForOperator);

/** Mails each fault of a website to its publisher, once. Faults of the installation are alarms instead. */
export async function tellFaults(ctx: Context): Promise<void> {
  const now = ctx.now();
  const before = later(now, -TELL_AFTER_MS);
  for (const id of await untoldFaults(ctx.db, before)) {
    await ctx.db.transaction().execute(async (tx) => {
      const fault = await claimTelling(tx, id, now);
      if (!fault) return;
      const mail = faultMail(
        { ...faultText('publisher', fault), websiteName: fault.websiteName },
        ctx.config.publicUrl,
      );
      await notifyPerson(ctx, tx, await publisherOf(tx, fault.websiteId), { kind: 'delivery-fault', mail });
    });
  }
  await tellOperator(ctx, before);
}

/**
 * Mails the operator what only they can mend, once a day for each cause, because the publishers of these websites read that
 * the operator was told.
 */
async function tellOperator(ctx: Context, before: Date): Promise<void> {
  const faults = await faultsForOperator(ctx.db, FOR_OPERATOR, before);
  const found = Map.groupBy(faults, ({ cause }) => cause);
  for (const [cause, same] of found) {
    const text = faultText('operator', same[0]!);
    const named = same.slice(0, MAX_NAMED).map(({ websiteName }) => websiteName);
    const more = same.length > MAX_NAMED ? ` and ${same.length - MAX_NAMED} more` : '';
    const alarm = {
      kind: 'installation-fault',
      cause: `faults of websites: ${cause}`,
      title: text.title,
      text: `${text.cause} ${text.next} Websites with this fault: ${named.join(', ')}${more}. The publishers read that you were told.`,
      action: { label: 'Open the faults', path: '/operator/faults' },
    } as const;
    await ctx.db.transaction().execute(async (tx) => await mailAlarm(ctx, tx, alarm));
  }
}
