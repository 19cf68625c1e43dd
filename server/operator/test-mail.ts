/** The operator proves that mail arrives: by a mail to their own address, whose code they type. */
import { createHmac } from 'node:crypto';
import { TEST_MAIL } from '#domain/notifications/bounces.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { isSameSecret } from '#server/platform/net/secrets.ts';
import { noteProven } from '#server/notify/bounces.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { type Operator, perform, record } from './act.ts';
import { findAddress, findLastTestMail } from './store.ts';

const ABOUT = { subject: 'mail', subjectId: 0, subjectName: 'Test mail', affectedId: null } as const;

const MAILS_AN_HOUR = { points: 10, seconds: 60 * 60 };
/** A code has a million values, and stays valid until the next one is sent. */
const CODES_AN_HOUR = { points: 10, seconds: 60 * 60 };

/** Mails a code to the operator's own address. Throws 409 without a relay, and 429 after too many. */
export async function sendTestMail(ctx: Context, operator: Operator): Promise<{ email: string }> {
  if (ctx.config.smtpUrl === undefined)
    throw conflict('There is no mail relay. Set SMTP_URL, then restart the server.');
  await ctx.limits('test-mail', MAILS_AN_HOUR)(String(operator.id));
  return await perform(ctx, operator, async (tx) => {
    const email = operator.id === null ? null : await findAddress(tx, operator.id);
    if (email === null) throw conflict('The test mail goes to the address of an operator.');
    const { publicId } = await record(ctx, tx, operator, {
      ...ABOUT,
      act: 'send-test-mail',
      reason: 'Before the marketplace sells',
    });
    await postMessage(ctx, tx, {
      recipient: email,
      kind: TEST_MAIL,
      mail: {
        subject: 'Test mail',
        heading: 'Your mail arrives',
        paragraphs: [
          'You sent this from the operator console. Enter the code there to confirm that it arrived.',
        ],
        code: codesOf(ctx, publicId)[0] ?? '',
        action: { label: 'Open the console', url: `${ctx.config.publicUrl}/operator` },
      },
    });
    return { email };
  });
}

/** Notes that the operator's last test mail arrived. Throws 400 for a wrong code, 409 if none was sent, and 429 after too many codes. */
export async function confirmTestMail(
  ctx: Context,
  operator: Operator,
  { code }: { code: string },
): Promise<void> {
  await ctx.limits('test-mail-code', CODES_AN_HOUR)(String(operator.id));
  await perform(ctx, operator, async (tx) => {
    const email = operator.id === null ? null : await findAddress(tx, operator.id);
    const sent = operator.id === null ? null : await findLastTestMail(tx, operator.id);
    if (email === null || sent === null) throw conflict('Send a test mail first. The mail has the code.');
    if (!codesOf(ctx, sent.publicId).some((each) => isSameSecret(code, each)))
      throw invalid('This isn’t the code of your last test mail.', 'code');
    // Mail to the address arrives again, whatever bounced before.
    await noteProven(tx, email);
    await record(ctx, tx, operator, {
      ...ABOUT,
      act: 'confirm-test-mail',
      reason: 'The mailed code came back',
    });
  });
}

/** One for each secret, the newest first. Follows from the act, so that nothing has to be stored. */
function codesOf(ctx: Context, actId: string): string[] {
  return ctx
    .keysFor('codes of test mails')
    .map((key) => createHmac('sha256', key).update(actId).digest().readUInt32BE(0) % 1_000_000)
    .map((number) => String(number).padStart(6, '0'));
}
