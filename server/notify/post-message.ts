import type { Switch } from '#domain/notifications/switches.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Mail, renderMail } from './layout.ts';
import { insertMessage } from './store.ts';

/**
 * Puts a mail into the outbox, in the caller's transaction. It is sent if and only if that transaction commits. `offSwitch`
 * is the recipient's setting that turns off this kind of mail, if there is one.
 */
export async function postMessage(
  ctx: Context,
  tx: Tx,
  {
    recipient,
    kind,
    offSwitch = null,
    mail,
  }: { recipient: string; kind: string; offSwitch?: Switch | null; mail: Mail },
): Promise<void> {
  await insertMessage(
    tx,
    { recipient, kind, offSwitch, ...renderMail(mail, ctx.config.brand, ctx.config.publicUrl) },
    ctx.now(),
  );
}
