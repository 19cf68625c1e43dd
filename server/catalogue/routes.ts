import { CATEGORIES } from '#domain/inventory/categories.ts';
import { getMarketplace } from '#domain/marketplace-contract.ts';
import { MARKETPLACE_NAME, TAGLINE } from '#domain/marketplace.ts';
import { type Route, route } from '../http/route.ts';
import { LIGHT } from '../http/theme.ts';

export const routes: Route[] = [
  route(
    getMarketplace,
    'anyone',
    async ({ config: { commissionPercent, currency, hasCatalogue, supportAddress } }) => ({
      name: MARKETPLACE_NAME,
      tagline: TAGLINE,
      logo: '/icon.svg',
      accent: LIGHT.accent,
      commissionPercent,
      currency,
      categories: [...CATEGORIES],
      catalogue: hasCatalogue,
      supportAddress,
      pages: {},
    }),
    { isPublic: true },
  ),
];
