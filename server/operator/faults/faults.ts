/** The faults of websites and of the installation, for its operator. */
import type { Context } from '#server/platform/context.ts';
import {
  expectInstallationFault,
  installationFaults,
  type OperatorFault,
  type OperatorWebsiteFault,
  websiteFaults,
} from '#server/delivery/faults/open-faults.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Operator, perform, record } from '../act.ts';

/** The page names this many faults of websites. Their publishers were told about each. */
const MAX_WEBSITES = 100;

export type OperatorFaults = { installation: OperatorFault[]; websites: OperatorWebsiteFault[] };

export async function listOperatorFaults({ db }: Context): Promise<OperatorFaults> {
  return { installation: await installationFaults(db), websites: await websiteFaults(db, MAX_WEBSITES) };
}

/** Marks a fault of the installation as expected, so that it is no alarm for 30 days. Throws 404. */
export async function expectFaultByOperator(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<OperatorFault> {
  return await perform(ctx, operator, async (tx) => {
    const fault = await expectInstallationFault(tx, id, ctx.now());
    if (!fault)
      throw notFound('There is no fault of the installation with this number. It may be over, or expected.');
    await record(ctx, tx, operator, {
      act: 'expect-fault',
      subject: 'fault',
      subjectId: id,
      subjectName: fault.title,
      affectedId: null,
      reason,
    });
    return fault;
  });
}
