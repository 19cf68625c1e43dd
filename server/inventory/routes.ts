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
import { type Route, route } from '../http/route.ts';
import {
  browseProducts,
  browseWebsites,
  browseZones,
  showAdSpace,
  showOwnWebsites,
  showWebsite,
} from './browse.ts';
import { changeWebsite } from './change-website.ts';
import { deleteWebsite } from './delete-website.ts';
import { deleteZone } from './delete-zone.ts';
import { dropHouseAd, putHouseAd } from './house-ad.ts';
import { priceSuggestion } from './my-zones/price-suggestion.ts';
import { zoneSales } from './my-zones/zone-sales.ts';
import { addProduct, addZone, changeProduct, changeZone, registerWebsite } from './offer.ts';
import { dropPageViews, putPageViews } from './page-views/page-views.ts';
import { previewWebsite } from './preview.ts';
import { removeOwnSitePicture, takeOwnSitePicture } from './site-picture.ts';
import { ownAdsTxt, ownVerification, verifyByAdsTxt, verifyNow } from './verify-website.ts';

export const routes: Route[] = [
  route(listWebsites, 'user', browseWebsites),
  route(listMyWebsites, 'user', showOwnWebsites),
  route(getWebsite, 'user', showWebsite),
  route(getAdSpace, 'anyone', showAdSpace),
  route(listZones, 'user', browseZones),
  route(listProducts, 'user', browseProducts),
  route(createWebsite, 'seller', registerWebsite),
  route(previewWebsiteCall, 'seller', previewWebsite),
  route(updateWebsite, 'seller', changeWebsite),
  route(deleteWebsiteCall, 'seller', deleteWebsite),
  route(storePageViews, 'seller', putPageViews),
  route(deletePageViews, 'seller', dropPageViews),
  route(takeSitePicture, 'seller', takeOwnSitePicture),
  route(removeSitePicture, 'seller', removeOwnSitePicture),
  route(getAdsTxt, 'seller', ownAdsTxt),
  route(checkAdsTxt, 'seller', verifyByAdsTxt),
  route(getVerification, 'seller', ownVerification),
  route(verifyWebsite, 'seller', verifyNow),
  route(listZoneSales, 'user', zoneSales),
  route(getPriceSuggestion, 'seller', priceSuggestion),
  route(createZone, 'seller', addZone),
  route(updateZone, 'seller', changeZone),
  route(setHouseAd, 'seller', putHouseAd),
  route(removeHouseAd, 'seller', dropHouseAd),
  route(deleteZoneCall, 'seller', deleteZone),
  route(createProduct, 'seller', addProduct),
  route(updateProduct, 'seller', changeProduct),
];
