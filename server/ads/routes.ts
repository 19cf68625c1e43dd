import {
  getCalendar,
  joinWaitingList,
  leaveWaitingList,
  listWaitingEntries,
} from '#domain/ads/booking-contract.ts';
import {
  confirmTarget,
  correctAd,
  createAd,
  getAd,
  getAdDays,
  getAvailability,
  getSimilarZones,
  getZoneAvailability,
  listMyAds,
  resubmitAd,
} from '#domain/ads/contract.ts';
import { blockAdvertiser, listBlocked, unblockAdvertiser } from '#domain/ads/block-contract.ts';
import { listTrusted, removeTrusted } from '#domain/ads/trust-contract.ts';
import { getLandings, measureLandings } from '#domain/delivery/landings-contract.ts';
import { type Route, route } from '../http/route.ts';
import { join, leave, ownEntries } from './booking/waiting-list.ts';
import { showCalendar } from './booking/zone-calendar.ts';
import { showAvailability, showZoneAvailability } from './availability.ts';
import { showDays } from './days.ts';
import { landings, setMeasuring } from './landings.ts';
import { myAds, ownAd, similarZones } from './read.ts';
import { correct, resubmit } from './resubmit.ts';
import { blockedAdvertisers, unblock } from './review/block.ts';
import { endTrust, trustedAdvertisers } from './review/trust.ts';
import { block } from './review.ts';
import { submitAd } from './submit.ts';
import { confirm } from './target-checks.ts';

export const routes: Route[] = [
  route(createAd, 'buyer', submitAd),
  route(listMyAds, 'user', myAds),
  route(getAd, 'user', ownAd),
  route(getSimilarZones, 'user', similarZones),
  route(getAvailability, 'user', showAvailability),
  route(getAdDays, 'user', showDays),
  route(getZoneAvailability, 'user', showZoneAvailability),
  route(getLandings, 'user', landings),
  route(measureLandings, 'user', setMeasuring),
  route(confirmTarget, 'seller', confirm),
  route(resubmitAd, 'buyer', resubmit),
  route(getCalendar, 'anyone', showCalendar),
  route(joinWaitingList, 'buyer', join),
  route(listWaitingEntries, 'user', ownEntries),
  route(leaveWaitingList, 'user', leave),
  route(correctAd, 'buyer', correct),
  route(listTrusted, 'user', trustedAdvertisers),
  route(removeTrusted, 'user', endTrust),
  route(blockAdvertiser, 'seller', block),
  route(listBlocked, 'user', blockedAdvertisers),
  route(unblockAdvertiser, 'user', unblock),
];
