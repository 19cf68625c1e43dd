/** The console's frame: who the operator is, what stands above every page, and the confirmation. */
import {
  confirmConsole,
  getConsoleNotices,
  getConsoleSession,
} from '#domain/operator/console/session-contract.ts';
import { presentAlarms } from '#server/money/books/alarms.ts';
import { findFeedState, newReleaseText } from '#server/operations/updates/update-feed.ts';
import { ownPasskeys } from '#server/people/accounts/keys/passkeys.ts';
import { secondFactorOf } from '#server/people/accounts/keys/second-factor.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { confirm, isProven } from '../admit.ts';
import { waitingText } from '../outbound.ts';
import { countWaiting } from './waiting.ts';

/** Of the console's notices: more would push the page out of sight. `openslot doctor` and the mails name all of them. */
const MAX_ALARMS = 5;

export const sessionRoutes: Route[] = [
  route(getConsoleSession, { access: 'operator', whileUnproven: true }, async (ctx, who, _, request) => ({
    ...who,
    isProven: isProven(request),
    hasApp: (await secondFactorOf(ctx.db, who.id)).isOn,
    hasPasskey: (await ownPasskeys(ctx, who)).length > 0,
  })),
  // [OWNS-30]
  route(getConsoleNotices, { access: 'operator' }, async (ctx) => {
    const { since, waiting } = await readOutbound(ctx.db);
    const alarms = await presentAlarms(ctx);
    const newer = (await findFeedState(ctx.db, ctx.config.updateFeed))?.newer;
    return {
      alarms: alarms.slice(0, MAX_ALARMS).map(({ title, text, action }) => ({ title, text, ...action })),
      more: Math.max(0, alarms.length - MAX_ALARMS),
      outbound: since === null ? null : waitingText(waiting),
      ...(newer && { update: { text: newReleaseText(newer), url: newer.url } }),
      waiting: await countWaiting(ctx),
    };
  }),
  route(confirmConsole, { access: 'operator', whileUnproven: true }, async (ctx, who, { body }, request) => {
    await confirm(ctx, request, who, body.code);
    return { success: true as const };
  }),
];
