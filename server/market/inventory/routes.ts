import {
  checkAdsTxt,
  createProduct,
  createWebsite,
  createZone,
  deleteWebsite as deleteWebsiteCall,
  deleteZone as deleteZoneCall,
  getAdSpace,
  getAdsTxt,
  getVerification,
  getWebsite,
  listMyWebsites,
  listProducts,
  listWebsites,
  listZones,
  previewWebsite as previewWebsiteCall,
  removeSitePicture,
  removeHouseAd,
  setHouseAd,
  takeSitePicture,
  updateProduct,
  updateWebsite,
  updateZone,
  verifyWebsite,
} from '#domain/inventory/contract.ts';
import { getPriceSuggestion, listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { deletePageViews, storePageViews } from '#domain/analytics/two-counts-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import {
  browseProducts,
  browseWebsites,
  browseZones,
  showAdSpace,
  showOwnWebsites,
  showWebsite,
} from './browse.ts';
import { changeWebsite } from './websites/change-website.ts';
import { deleteWebsite } from './websites/delete-website.ts';
import { deleteZone } from './delete-zone.ts';
import { dropHouseAd, putHouseAd } from './house-ad.ts';
import { priceSuggestion } from './my-zones/price-suggestion.ts';
import { zoneSales } from './my-zones/zone-sales.ts';
import { addProduct, addZone, changeProduct, changeZone, registerWebsite } from './offer.ts';
import { dropPageViews, putPageViews } from './page-views/page-views.ts';
import { previewWebsite } from './websites/preview.ts';
import { removeOwnSitePicture, takeOwnSitePicture } from './websites/site-picture.ts';
import { ownAdsTxt, ownVerification, verifyByAdsTxt, verifyNow } from './ownership/verify-website.ts';

export const routes: Route[] = [
  route(listWebsites, { access: 'user', right: 'figures' }, browseWebsites),
  route(listMyWebsites, { access: 'user', right: 'ads' }, showOwnWebsites),
  route(getWebsite, { access: 'user', right: 'figures' }, showWebsite),
  route(getAdSpace, { access: 'anyone' }, showAdSpace),
  route(listZones, { access: 'user', right: 'figures' }, browseZones),
  route(listProducts, { access: 'user', right: 'figures' }, browseProducts),
  route(createWebsite, { access: 'seller', right: 'change' }, registerWebsite),
  route(previewWebsiteCall, { access: 'seller', right: 'change' }, previewWebsite),
  route(updateWebsite, { access: 'seller', right: 'change' }, changeWebsite),
  route(deleteWebsiteCall, { access: 'seller', right: 'change' }, deleteWebsite),
  route(storePageViews, { access: 'seller', right: 'change' }, putPageViews),
  route(deletePageViews, { access: 'seller', right: 'change' }, dropPageViews),
  route(takeSitePicture, { access: 'seller', right: 'change' }, takeOwnSitePicture),
  route(removeSitePicture, { access: 'seller', right: 'change' }, removeOwnSitePicture),
  route(getAdsTxt, { access: 'seller', right: 'ads' }, ownAdsTxt),
  route(checkAdsTxt, { access: 'seller', right: 'change' }, verifyByAdsTxt),
  route(getVerification, { access: 'seller', right: 'ads' }, ownVerification),
  route(verifyWebsite, { access: 'seller', right: 'change' }, verifyNow),
  route(listZoneSales, { access: 'user', right: 'ads' }, zoneSales),
  route(getPriceSuggestion, { access: 'seller', right: 'ads' }, priceSuggestion),
  route(createZone, { access: 'seller', right: 'change' }, addZone),
  route(updateZone, { access: 'seller', right: 'change' }, changeZone),
  route(setHouseAd, { access: 'seller', right: 'change' }, putHouseAd),
  route(removeHouseAd, { access: 'seller', right: 'change' }, dropHouseAd),
  route(deleteZoneCall, { access: 'seller', right: 'change' }, deleteZone),
  route(createProduct, { access: 'seller', right: 'change' }, addProduct),
  route(updateProduct, { access: 'seller', right: 'change' }, changeProduct),
];
