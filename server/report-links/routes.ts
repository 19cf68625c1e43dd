import {
  createAdReportLink,
  createPlanReportLink,
  listAdReportLinks,
  listPlanReportLinks,
  revokeReportLink,
} from '#domain/report-links/contract.ts';
import { type Route, route } from '../http/route.ts';
import { linkAd, linkPlan, linksOfAd, linksOfPlan, revoke } from './links.ts';

// A user who is no longer an advertiser still owns their earlier ads and plans, and may show their reports.
export const routes: Route[] = [
  route(createAdReportLink, 'user', linkAd),
  route(createPlanReportLink, 'user', linkPlan),
  route(listAdReportLinks, 'user', linksOfAd),
  route(listPlanReportLinks, 'user', linksOfPlan),
  route(revokeReportLink, 'user', revoke),
];
