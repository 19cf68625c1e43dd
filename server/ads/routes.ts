import {
  getCalendar,
  joinWaitingList,
  leaveWaitingList,
  listWaitingEntries,
} from '#domain/ads/booking-contract.ts';
import {
  confirmTarget,
  correctAd,
  countMyAds,
  createAd,
  getAd,
  getAdDays,
  getAudience,
  getAvailability,
  getSimilarZones,
  getZoneAvailability,
  listMyAds,
  resubmitAd,
} from '#domain/ads/contract.ts';
import { pauseAd, resumeAd } from '#domain/ads/pause-contract.ts';
import { blockAdvertiser, listBlocked, unblockAdvertiser } from '#domain/ads/block-contract.ts';
import { listTrusted, removeTrusted } from '#domain/ads/trust-contract.ts';
import { getLandings, measureLandings } from '#domain/delivery/landings-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { join, leave, ownEntries } from './booking/waiting-list.ts';
import { showCalendar } from './booking/zone-calendar.ts';
import { showAudience, showAvailability, showZoneAvailability } from './availability.ts';
import { showDays } from './days.ts';
import { landings, setMeasuring } from './landings.ts';
import { pause, resume } from './life/pause.ts';
import { countOwnAds, myAds, ownAd, similarZones } from './read.ts';
import { correct, resubmit } from './submit/resubmit.ts';
import { blockedAdvertisers, unblock } from './review-rules/block.ts';
import { endTrust, trustedAdvertisers } from './review-rules/trust.ts';
import { block } from './submit/review.ts';
import { submitAd } from './submit/submit.ts';
import { confirm } from './submit/target-checks.ts';

export const routes: Route[] = [
  route(createAd, { access: 'buyer', right: 'change' }, submitAd),
  route(listMyAds, { access: 'user', right: 'ads' }, myAds),
  route(countMyAds, { access: 'user', right: 'ads' }, countOwnAds),
  route(getAd, { access: 'user', right: 'figures' }, ownAd),
  route(getSimilarZones, { access: 'user', right: 'ads' }, similarZones),
  route(getAvailability, { access: 'user', right: 'ads' }, showAvailability),
  route(getAdDays, { access: 'user', right: 'ads' }, showDays),
  route(getZoneAvailability, { access: 'user', right: 'figures' }, showZoneAvailability),
  route(getAudience, { access: 'user', right: 'figures' }, showAudience),
  route(getLandings, { access: 'user', right: 'ads' }, landings),
  route(measureLandings, { access: 'user', right: 'change' }, setMeasuring),
  // Not only for advertisers: everybody else gets 404, a publisher too.
  route(pauseAd, { access: 'user', right: 'change' }, pause),
  route(resumeAd, { access: 'user', right: 'change' }, resume),
  route(confirmTarget, { access: 'seller', right: 'change' }, confirm),
  route(resubmitAd, { access: 'buyer', right: 'change' }, resubmit),
  route(getCalendar, { access: 'anyone' }, showCalendar),
  route(joinWaitingList, { access: 'buyer', right: 'change' }, join),
  route(listWaitingEntries, { access: 'user', right: 'ads' }, ownEntries),
  route(leaveWaitingList, { access: 'user', right: 'change' }, leave),
  route(correctAd, { access: 'buyer', right: 'change' }, correct),
  route(listTrusted, { access: 'user', right: 'ads' }, trustedAdvertisers),
  route(removeTrusted, { access: 'user', right: 'change' }, endTrust),
  route(blockAdvertiser, { access: 'seller', right: 'change' }, block),
  route(listBlocked, { access: 'user', right: 'ads' }, blockedAdvertisers),
  route(unblockAdvertiser, { access: 'user', right: 'change' }, unblock),
];
