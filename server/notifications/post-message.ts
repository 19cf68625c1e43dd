import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { type Mail, renderMail } from './layout.ts';
import { insertMessage } from './store.ts';

/** Puts a mail into the outbox, in the caller's transaction. It is sent if and only if that transaction commits. */
export async function postMessage(
  ctx: Context,
  tx: Tx,
  { recipient, kind, mail }: { recipient: string; kind: string; mail: Mail },
): Promise<void> {
  await insertMessage(tx, { recipient, kind, ...renderMail(mail) }, ctx.now());
}
