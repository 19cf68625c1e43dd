/** The commission of one publisher. */
import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { commissionOf } from '#server/platform/settings/marketplace.ts';
import { type Operator, perform, record } from '../act.ts';
import { requireSubject } from '../decisions/suspend.ts';
import { writeCommission } from './store.ts';

export type Commission = {
  id: number;
  name: string;
  commissionPercent: number;
  source: 'publisher' | 'default';
};

/**
 * Agrees a commission with a publisher for the ads that are submitted from now on; null puts theirs back to the
 * marketplace's. Throws 404, or 409 if nothing would change. [OWNS-60]
 */
export async function setCommission(
  ctx: Context,
  operator: Operator,
  { id, percent, reason }: { id: number; percent: number | null; reason: string },
): Promise<Commission> {
  return await perform(ctx, operator, async (tx) => {
    const { name } = await requireSubject(tx, 'person', id);
    const before = await writeCommission(tx, id, percent);
    if (percent === (before === null ? null : Number(before)))
      throw conflict(
        percent === null ? 'This person has the default already.' : `This person has ${percent}% already.`,
      );
    const commissionPercent = commissionOf(ctx.config, percent);
    await record(ctx, tx, operator, {
      act: 'set-commission',
      subject: 'person',
      subjectId: id,
      affectedId: id,
      reason: `From ${commissionOf(ctx.config, before)}% to ${commissionPercent}%. ${reason}`,
    });
    return { id, name, commissionPercent, source: percent === null ? 'default' : 'publisher' };
  });
}
