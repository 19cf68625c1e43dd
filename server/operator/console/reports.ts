import { listReportedAds } from '#domain/operator/console/reports-contract.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { DISMISS_REPORTS, TAKE_DOWN } from '../acts/acts-of-moderation.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { reportedAds } from '../decisions/reports.ts';
import { findCreatives } from '../store-find.ts';

export const reportRoutes: Route[] = [
  route(listReportedAds, { access: 'operator' }, async (ctx, operator, { query }) => {
    const { items, next } = await reportedAds(ctx, query);
    const creatives = await findCreatives(
      ctx.db,
      items.map(({ adId }) => adId),
    );
    const rows = items.map(async ({ adId, since, ...row }) => {
      const {
        description = '',
        targetUrl = '',
        adType = 'text',
        imageUrl = null,
      } = creatives.get(adId) ?? {};
      return {
        ...row,
        adId,
        description,
        targetUrl,
        picture: { kind: adType, src: imageUrl },
        since: since.toISOString(),
        acts: await reportActs(ctx, operator, adId),
      };
    });
    return { items: await Promise.all(rows), next };
  }),
];

/** What an operator can do about the reports of an ad. */
export const reportActs = async (ctx: Context, operator: OperatorCaller, id: number): Promise<OfferedAct[]> =>
  await offers([
    formOf(DISMISS_REPORTS).offer(ctx, operator, { ids: { id } }),
    formOf(TAKE_DOWN).offer(ctx, operator, { ids: { id } }),
  ]);
