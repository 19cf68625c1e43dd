/** Lets tests read the outbox. */
import type { OperatorMailKind } from '#domain/notifications/notices.ts';
import type { Context } from '#server/platform/context.ts';

export type TestMail = { kind: string; subject: string; text: string; html: string };

/** Every message to this address, oldest first. */
export async function mailTo(ctx: Context, recipient: string): Promise<TestMail[]> {
  return await ctx.db
    .selectFrom('messages')
    .select(['kind', 'subject', 'bodyText as text', 'bodyHtml as html'])
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
}

/** Every mail of this kind to the operator, at OPERATOR_MAIL, oldest first. */
export async function mailToOperator(ctx: Context, kind: OperatorMailKind): Promise<TestMail[]> {
  return (await mailTo(ctx, ctx.config.contactEmail)).filter((mail) => mail.kind === kind);
}

/** The code of the newest mail to this address that has one. */
export async function codeFor(ctx: Context, recipient: string): Promise<string> {
  const mails = await mailTo(ctx, recipient);
  const code = mails.map(({ text }) => /^ {4}([0-9A-Z]{4})$/m.exec(text)?.[1]).findLast(Boolean);
  if (!code) throw new Error(`No code was mailed to ${recipient}`);
  return code;
}

/** The token of the newest mailed link. By default it is the link that verifies the e-mail address. */
export async function linkTokenFor(
  ctx: Context,
  recipient: string,
  use: 'verify' | 'reset' | 'restore' = 'verify',
): Promise<string> {
  const mails = await mailTo(ctx, recipient);
  const link = new RegExp(`/auth\\?${use}=([\\w-]+)`);
  const token = mails.map(({ text }) => link.exec(text)?.[1]).findLast(Boolean);
  if (!token) throw new Error(`No link was mailed to ${recipient}`);
  return token;
}
