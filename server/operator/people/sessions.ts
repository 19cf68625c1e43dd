import { forgetSecondFactor } from '#server/people/accounts/keys/second-factor.ts';
import { endSessionsOf } from '#server/people/accounts/sessions.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { mailSecondFactorChanged } from '#server/notify/mails/account-mail.ts';
import { type Operator, perform, record } from '../act.ts';
import { requireSubject } from '../decisions/suspend.ts';

/** Signs a person out everywhere. They can sign in again. Throws 404. */
export async function endSessionsOfPerson(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<{ id: number; ended: number }> {
  return await perform(ctx, operator, async (tx) => {
    await requireSubject(tx, 'person', id);
    const ended = await endSessionsOf(tx, id);
    await record(ctx, tx, operator, {
      act: 'end-sessions',
      subject: 'person',
      subjectId: id,
      affectedId: id,
      reason,
    });
    return { id, ended };
  });
}

/**
 * Turns off the second factor of a person who has lost it, and signs them out everywhere. The operator has checked the
 * person's identity. Throws 404, or 409 if it is off.
 */
export async function resetSecondFactor(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const { name: recipient } = await requireSubject(tx, 'person', id);
    if (!(await forgetSecondFactor(tx, id)))
      throw conflict('The two-step verification of this person is off.');
    await endSessionsOf(tx, id);
    await mailSecondFactorChanged(ctx, tx, { recipient, isOn: false });
    await record(ctx, tx, operator, {
      act: 'reset-second-factor',
      subject: 'person',
      subjectId: id,
      affectedId: id,
      reason,
    });
  });
}
