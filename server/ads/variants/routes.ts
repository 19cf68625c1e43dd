import { approveAd, getAdDetails, listPendingAds, rejectAd } from '#domain/ads/contract.ts';
import { addVariant, listVariants, removeVariant } from '#domain/ads/variants-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { add, remove, variantsOf } from './change.ts';
import { approveAny, details, pending, rejectAny } from './review.ts';

/** The calls of second creatives, and those of a review, which answer for ads and for second creatives. */
export const routes: Route[] = [
  route(addVariant, { access: 'buyer', right: 'change' }, add),
  route(listVariants, { access: 'user', right: 'ads' }, variantsOf),
  route(removeVariant, { access: 'buyer', right: 'change' }, remove),
  route(listPendingAds, { access: 'user', right: 'ads' }, pending),
  route(getAdDetails, { access: 'user', right: 'ads' }, details),
  route(approveAd, { access: 'seller', right: 'change' }, approveAny),
  route(rejectAd, { access: 'seller', right: 'change' }, rejectAny),
];
