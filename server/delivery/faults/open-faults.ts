/** The faults that the operator reads: in the console, in the alarms, in `openslot doctor` and in the metrics. */
import { type FaultText, faultText, isForOperator } from '#domain/delivery/fault-causes.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  deleteFaultsEndedBefore,
  expectOfInstallation,
  type FaultRow,
  faultsOfInstallation,
  faultsOfWebsite,
  faultsOfWebsites,
  type WebsiteFaultRow,
} from './store.ts';

export { countFaults, type FaultCount } from './store.ts';

/** Ended faults are of no use to a reader after this time. */
const KEPT_MS = 90 * DAY_MS;

export type OperatorFault = FaultText & Pick<FaultRow, 'id' | 'beganAt'>;
export type OperatorWebsiteFault = OperatorFault & Pick<WebsiteFaultRow, 'websiteId' | 'websiteName'>;

/** The open faults of the installation that no operator expects. */
export async function installationFaults(tx: Tx): Promise<OperatorFault[]> {
  return (await faultsOfInstallation(tx)).map(faultReply);
}

/**
 * The newest open faults of websites that no publisher expects, at most `limit`, as their publishers read them. Where only
 * the operator can mend the cause, the text is the operator's own.
 */
export async function websiteFaults(tx: Tx, limit: number): Promise<OperatorWebsiteFault[]> {
  return (await faultsOfWebsites(tx, limit)).map(websiteFaultReply);
}

/** The same of one website. */
export async function faultsOfOneWebsite(tx: Tx, websiteId: number): Promise<OperatorWebsiteFault[]> {
  return (await faultsOfWebsite(tx, websiteId)).map(websiteFaultReply);
}

/** Marks a fault of the installation as expected; undefined if there is none that somebody has to act on. */
export async function expectInstallationFault(
  tx: Tx,
  id: number,
  at: Date,
): Promise<OperatorFault | undefined> {
  const row = await expectOfInstallation(tx, id, at);
  return row && faultReply(row);
}

/** Part of the job 'remove-expired'. */
export async function removeOldFaults({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await deleteFaultsEndedBefore(db, later(now(), -KEPT_MS));
}

function faultReply(row: FaultRow): OperatorFault {
  return { ...faultText('operator', row), id: row.id, beganAt: row.beganAt };
}

function websiteFaultReply(row: WebsiteFaultRow): OperatorWebsiteFault {
  return {
    ...faultText(isForOperator(row.cause) ? 'operator' : 'publisher', row),
    id: row.id,
    beganAt: row.beganAt,
    websiteId: row.websiteId,
    websiteName: row.websiteName,
  };
}
