import { approveAd, getAdDetails, listPendingAds, rejectAd } from '#domain/ads/contract.ts';
import { addVariant, listVariants, removeVariant } from '#domain/ads/variants-contract.ts';
import { type Route, route } from '../../http/route.ts';
import { add, remove, variantsOf } from './change.ts';
import { approveAny, details, pending, rejectAny } from './review.ts';

/** The calls of second creatives, and those of a review, which answer for ads and for second creatives. */
export const routes: Route[] = [
  route(addVariant, 'buyer', add),
  route(listVariants, 'user', variantsOf),
  route(removeVariant, 'buyer', remove),
  route(listPendingAds, 'user', pending),
  route(getAdDetails, 'user', details),
  route(approveAd, 'seller', approveAny),
  route(rejectAd, 'seller', rejectAny),
];
