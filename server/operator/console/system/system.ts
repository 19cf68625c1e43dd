/** The calls about the state of the installation. */
import { getOutbound, getSystem, listFaults } from '#domain/operator/console/system-contract.ts';
import { decimalOf } from '#domain/money.ts';
import { agesText } from '#server/operations/backup/state.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { RELEASE_OUTBOUND } from '../../acts/acts-of-accounts.ts';
import { EXPECT_FAULT } from '../../acts/acts-of-announcements.ts';
import { formOf, offers } from '../../acts/define-act.ts';
import { listOperatorFaults } from '../../faults/faults.ts';
import { readSystem } from '../../system.ts';

export const systemRoutes: Route[] = [
  route(getSystem, { access: 'operator' }, async (ctx) => {
    const { release, database, servers, backups, figures, uploads } = await readSystem(ctx);
    return {
      release,
      database,
      instances: servers.map(({ server, ...instance }) => ({ name: server, ...instance })),
      backups: {
        ages: agesText(backups),
        problems: backups.problems,
        last: backups.last.map(({ startedAt, verifiedAt, ...backup }) => ({
          ...backup,
          startedAt: startedAt.toISOString(),
          verifiedAt: verifiedAt?.toISOString() ?? null,
        })),
      },
      work: {
        jobsWaiting: figures.jobsWaiting,
        jobsFailed: figures.jobsFailed,
        oldestJobSeconds: figures.oldestJob,
        mailWaiting: figures.mailWaiting,
        uncovered: decimalOf(figures.uncoveredCents),
        differences: figures.differences,
      },
      uploads,
    };
  }),
  route(getOutbound, { access: 'operator' }, async (ctx, operator) => {
    const { since, waiting } = await readOutbound(ctx.db);
    const { mail, refunds, payouts, provider } = waiting;
    return {
      since: since?.toISOString() ?? null,
      mails: mail,
      refunds,
      payouts,
      provider,
      acts: await offers([since !== null && formOf(RELEASE_OUTBOUND).offer(ctx, operator)]),
    };
  }),
  route(listFaults, { access: 'operator' }, async (ctx, operator) => {
    const { installation, websites } = await listOperatorFaults(ctx);
    return {
      installation: await Promise.all(
        installation.map(async ({ beganAt, ...fault }) => ({
          ...fault,
          beganAt: beganAt.toISOString(),
          acts: await offers([formOf(EXPECT_FAULT).offer(ctx, operator, { ids: { id: fault.id } })]),
        })),
      ),
      websites: websites.map(({ beganAt, ...fault }) => ({ ...fault, beganAt: beganAt.toISOString() })),
    };
  }),
];
