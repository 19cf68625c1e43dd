/** The console's first page. */
import { actorText, actWords } from '#domain/operator/acts.ts';
import { type LaunchStepReply, getToday } from '#domain/operator/console/today-contract.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import { decimalOf } from '#domain/money.ts';
import { findKeptOn, keptIn, readBooks } from '#server/money/books/books.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { CHECK_KEYS, CONFIRM_TEST_MAIL, SEND_TEST_MAIL } from '../acts/acts-of-settings.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { isReady, launchSteps, type LaunchStep } from '../launch.ts';
import { readOverview } from '../overview/overview.ts';
import { auditTrail } from '../people/trail.ts';
import { waitingThings } from './today-queue.ts';
import { openQueues } from './waiting.ts';

const LAST_ACTS = 5;

export const todayRoutes: Route[] = [
  route(getToday, { access: 'operator' }, async (ctx, operator, { query: { days } }) => {
    const books = await readBooks(ctx);
    const overview = await readOverview(ctx, days);
    const keptBefore = await findKeptOn(ctx, overview.previous.to);
    const { items: acts } = await auditTrail(ctx, { limit: LAST_ACTS });
    return {
      launch: await launchReply(ctx, operator),
      waiting: await waitingThings(ctx, operator, books.disputes),
      queues: await openQueues(ctx),
      yours: decimalOf(keptIn(books)),
      yoursBefore: keptBefore === null ? null : decimalOf(keptBefore),
      overview,
      lastActs: acts.map((act) => ({
        id: act.id,
        actedAt: act.actedAt.toISOString(),
        by: actorText(act),
        words: actWords(act),
        reason: act.reason,
      })),
    };
  }),
];

async function launchReply(ctx: Context, operator: OperatorCaller): Promise<LaunchStepReply[] | null> {
  if (!ctx.config.production) return null;
  const steps = await launchSteps(ctx.db, ctx.config, ctx.now());
  if (isReady(steps)) return null;
  return await Promise.all(
    steps.map(async (step) => ({
      name: step.name,
      isDone: step.isDone,
      text: step.text,
      path: step.href,
      acts: await launchActs(ctx, operator, step),
    })),
  );
}

/** What an operator can do about a step that is no setting. */
async function launchActs(
  ctx: Context,
  operator: OperatorCaller,
  { name, isDone }: LaunchStep,
): Promise<OfferedAct[]> {
  const go = { hidden: { go: 'yes' } };
  if (name === 'Mail' && !isDone && ctx.config.smtpUrl !== undefined)
    return await offers([
      formOf(SEND_TEST_MAIL).offer(ctx, operator, go),
      formOf(CONFIRM_TEST_MAIL).offer(ctx, operator, {
        fields: [
          { name: 'code', label: 'Code', isRequired: true, max: 6, hint: 'The 6 digits of the mail.' },
        ],
      }),
    ]);
  if (name === 'Cards' && ctx.payments.mode !== 'sandbox')
    return await offers([formOf(CHECK_KEYS).offer(ctx, operator, go)]);
  return [];
}
