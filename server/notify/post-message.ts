import { later, MINUTE_MS } from '#domain/time.ts';
import type { Switch } from '#domain/notifications/switches.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Mail, renderMail } from './layout.ts';
import { insertMessage } from './store.ts';

/**
 * Puts a mail into the outbox, in the caller's transaction. It is sent if and only if that transaction commits. `offSwitch`
 * is the recipient's setting that turns off this kind of mail, if there is one. With `gathers`, it waits for a minute, and
 * is one mail with all that the same person is told meanwhile (mail-budget.ts).
 */
export async function postMessage(
  ctx: Context,
  tx: Tx,
  {
    recipient,
    kind,
    offSwitch = null,
    mail,
    gathers = false,
  }: { recipient: string; kind: string; offSwitch?: Switch | null; mail: Mail; gathers?: boolean },
): Promise<void> {
  await insertMessage(
    tx,
    { recipient, kind, offSwitch, ...renderMail(mail, ctx.config.brand, ctx.config.publicUrl) },
    {
      createdAt: ctx.now(),
      // Mail that is kept in the outbox, for lack of a relay, need not wait.
      heldUntil: gathers && ctx.mailer.kind === 'relay' ? later(ctx.realNow(), MINUTE_MS) : null,
    },
  );
}
