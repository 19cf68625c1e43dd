import {
  getActiveZones,
  getBreakdown,
  getCounting,
  getEarnings,
  getSeries,
  getSpending,
  listTransactions,
  listUnusualHours,
  listWithdrawals,
} from '#domain/analytics/contract.ts';
import { getGettingStarted } from '#domain/analytics/getting-started-contract.ts';
import {
  getHoursWithoutTag,
  getReturned,
  listPriceTrials,
  listZoneYields,
} from '#domain/analytics/publisher-contract.ts';
import {
  getPages,
  getPlacement,
  listPlacementChanges,
  listPlaces,
} from '#domain/analytics/placement-contract.ts';
import { getTwoCounts } from '#domain/analytics/two-counts-contract.ts';
import { listWaiting } from '#domain/ads/waiting-contract.ts';
import { type Route, route } from '../http/route.ts';
import { counting } from './counting.ts';
import { activeZones, earnings, spending } from './figures.ts';
import { gettingStarted } from './getting-started.ts';
import { breakdown, series } from './over-time.ts';
import { pages, placement, placementChanges, places } from './placement/placement.ts';
import { hoursWithoutTag } from './publisher/hours-without-tag.ts';
import { trialsOfPrices } from './publisher/price-trials.ts';
import { returned } from './publisher/returned.ts';
import { twoCounts } from './publisher/two-counts.ts';
import { zoneYields } from './publisher/zone-yields.ts';
import { transactions } from './transactions.ts';
import { unusualHours } from './unusual-hours.ts';
import { waiting } from './waiting.ts';
import { withdrawals } from './withdrawals.ts';

export const routes: Route[] = [
  route(getEarnings, 'user', earnings),
  route(getSpending, 'user', spending),
  route(getActiveZones, 'user', activeZones),
  route(listTransactions, 'user', transactions),
  route(getSeries, 'user', series),
  route(getBreakdown, 'user', breakdown),
  route(getCounting, 'user', counting),
  route(listUnusualHours, 'user', unusualHours),
  route(listWithdrawals, 'user', withdrawals),
  route(listZoneYields, 'user', zoneYields),
  route(getReturned, 'user', returned),
  route(getHoursWithoutTag, 'user', hoursWithoutTag),
  route(getPlacement, 'user', placement),
  route(listPlacementChanges, 'user', placementChanges),
  route(listPlaces, 'user', places),
  route(getPages, 'user', pages),
  route(getTwoCounts, 'user', twoCounts),
  route(listPriceTrials, 'user', trialsOfPrices),
  route(getGettingStarted, 'user', gettingStarted),
  route(listWaiting, 'user', waiting),
];
