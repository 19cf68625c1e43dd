import { pagePath, publishedKeys } from '#domain/pages.ts';
import { getFacets } from '#domain/inventory/contract.ts';
import { getMarketplace } from '#domain/marketplace-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { brandAddress } from '#server/platform/brand/pictures.ts';
import { LIGHT } from '#domain/theme.ts';
import { facetsOf } from './facets.ts';

export const routes: Route[] = [
  route(getFacets, { access: 'user', right: 'figures' }, async (ctx) => await facetsOf(ctx, 'offered')),
  route(
    getMarketplace,
    { access: 'anyone', public: true },
    async ({
      config: { brand, categories, commissionPercent, currency, hasCatalogue, supportAddress, pages },
    }) => ({
      name: brand.name,
      tagline: brand.tagline,
      logo: brand.logo === null ? '/icon.svg' : brandAddress(brand.logo.file),
      accent: brand.accent ?? LIGHT.accent,
      commissionPercent,
      currency,
      categories,
      catalogue: hasCatalogue,
      supportAddress,
      pages: Object.fromEntries(publishedKeys(pages).map((key) => [key, pagePath(key)])),
      termsVersion: pages.terms ?? null,
    }),
  ),
];
