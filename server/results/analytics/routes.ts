import {
  getActiveZones,
  getAdTimes,
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
  listAgents,
  listPriceTrials,
  listZoneYields,
} from '#domain/analytics/publisher-contract.ts';
import {
  getPages,
  getPosition,
  listPositionChanges,
  listPlaces,
} from '#domain/analytics/position-contract.ts';
import { getTwoCounts } from '#domain/analytics/two-counts-contract.ts';
import { listWaiting } from '#domain/ads/waiting-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { counting, withdrawals } from './counting.ts';
import { activeZones, earnings, spending } from './figures.ts';
import { gettingStarted } from './to-do/getting-started.ts';
import { breakdown, series } from './over-time.ts';
import { pages, position, positionChanges, places } from './position/position.ts';
import { agents } from './publisher/agents.ts';
import { hoursWithoutTag } from './publisher/hours-without-tag.ts';
import { trialsOfPrices } from './publisher/price-trials.ts';
import { returned } from './publisher/returned.ts';
import { twoCounts } from './publisher/two-counts.ts';
import { zoneYields } from './publisher/zone-yields.ts';
import { adTimes } from './times.ts';
import { transactions } from './transactions.ts';
import { unusualHours } from './unusual-hours.ts';
import { waiting } from './to-do/waiting.ts';

export const routes: Route[] = [
  route(getEarnings, { access: 'user', right: 'figures' }, earnings),
  route(getSpending, { access: 'user', right: 'figures' }, spending),
  route(getActiveZones, { access: 'user', right: 'figures' }, activeZones),
  route(listTransactions, { access: 'user', right: 'figures' }, transactions),
  route(getSeries, { access: 'user', right: 'figures' }, series),
  route(getBreakdown, { access: 'user', right: 'figures' }, breakdown),
  route(getCounting, { access: 'user', right: 'figures' }, counting),
  route(getAdTimes, { access: 'user', right: 'ads' }, adTimes),
  route(listUnusualHours, { access: 'user', right: 'figures' }, unusualHours),
  route(listWithdrawals, { access: 'user', right: 'figures' }, withdrawals),
  route(listZoneYields, { access: 'user', right: 'figures' }, zoneYields),
  route(getReturned, { access: 'user', right: 'figures' }, returned),
  route(getHoursWithoutTag, { access: 'user', right: 'figures' }, hoursWithoutTag),
  route(listAgents, { access: 'user', right: 'figures' }, agents),
  route(getPosition, { access: 'user', right: 'ads' }, position),
  route(listPositionChanges, { access: 'user', right: 'figures' }, positionChanges),
  route(listPlaces, { access: 'user', right: 'figures' }, places),
  route(getPages, { access: 'user', right: 'figures' }, pages),
  route(getTwoCounts, { access: 'user', right: 'figures' }, twoCounts),
  route(listPriceTrials, { access: 'user', right: 'figures' }, trialsOfPrices),
  route(getGettingStarted, { access: 'user', right: 'figures' }, gettingStarted),
  route(listWaiting, { access: 'user', right: 'figures' }, waiting),
];
