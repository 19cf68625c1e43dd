import { listReportedAds } from '#domain/operator/console/reports-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { reportedAds } from '../decisions/reports.ts';

export const reportRoutes: Route[] = [
  route(listReportedAds, { access: 'operator' }, async (ctx, _, { query }) => {
    const { items, next } = await reportedAds(ctx, query);
    return { items: items.map((item) => ({ ...item, since: item.since.toISOString() })), next };
  }),
];
