/** The calls about the work of the server itself: jobs and mail. */
import { listJobs, listMail, listTurnedOff } from '#domain/operator/console/system-contract.ts';
import { turnedOffAddresses } from '#server/notify/outbox.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { DROP_JOB, RESEND_MAIL, RETRY_JOB } from '../../acts/acts-of-accounts.ts';
import { formOf, offers } from '../../acts/define-act.ts';
import { jobs } from '../../jobs.ts';
import { mails, mailState } from '../../mail.ts';

/** As much of an error as says what it is. The log has the rest. */
const MAX_ERROR = 300;
/** The addresses that bounced last. An address of its own is found by its mail. */
const MAX_TURNED_OFF = 50;

export const workRoutes: Route[] = [
  route(listJobs, { access: 'operator' }, async (ctx, operator, { query: { failed, ...query } }) => {
    const { items, next } = await jobs(ctx, { failed: failed !== undefined, ...query });
    return {
      items: await Promise.all(
        items.map(async ({ id, name, attempts, maxAttempts, isRunning, runAt, lastError }) => ({
          id,
          name,
          attempts,
          maxAttempts,
          isRunning,
          runAt: runAt.toISOString(),
          lastError: lastError?.slice(0, MAX_ERROR) ?? null,
          acts: await offers(
            [RETRY_JOB, DROP_JOB].map(
              (act) => !isRunning && formOf(act).offer(ctx, operator, { ids: { id } }),
            ),
          ),
        })),
      ),
      next,
    };
  }),
  route(listMail, { access: 'operator' }, async (ctx, operator, { query: { to, ...query } }) => {
    const { items, next } = await mails(ctx, { ...query, to: to || undefined });
    return {
      items: await Promise.all(
        items.map(async (mail) => ({
          id: mail.id,
          subject: mail.subject,
          recipient: mail.recipient,
          createdAt: mail.createdAt.toISOString(),
          sentAt: mail.sentAt?.toISOString() ?? null,
          state: mailState(mail),
          acts: await offers([
            mail.sentAt === null && formOf(RESEND_MAIL).offer(ctx, operator, { ids: { id: mail.id } }),
          ]),
        })),
      ),
      next,
    };
  }),
  route(listTurnedOff, { access: 'operator' }, async (ctx, _, { query: { to } }) =>
    (await turnedOffAddresses(ctx.db, { to: to || undefined, limit: MAX_TURNED_OFF })).map((row) => ({
      address: row.recipient,
      hardBounces: row.hardBounces,
      lastBounceAt: row.lastBounceAt.toISOString(),
    })),
  ),
];
