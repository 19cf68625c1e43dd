import {
  createAdReportLink,
  createPlanReportLink,
  listAdReportLinks,
  listPlanReportLinks,
  revokeReportLink,
} from '#domain/report-links/contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { linkAd, linkPlan, linksOfAd, linksOfPlan, revoke } from './links.ts';

// A user who is no longer an advertiser still owns their earlier ads and plans, and may show their reports.
export const routes: Route[] = [
  route(createAdReportLink, { access: 'user', right: 'change' }, linkAd),
  route(createPlanReportLink, { access: 'user', right: 'change' }, linkPlan),
  // The keys open the reports for as long as the links last.
  route(listAdReportLinks, { access: 'user', right: 'ads', notInView: true }, linksOfAd),
  route(listPlanReportLinks, { access: 'user', right: 'ads', notInView: true }, linksOfPlan),
  route(revokeReportLink, { access: 'user', right: 'change' }, revoke),
];
