/** Describes websites as products by the vocabulary of https://schema.org. */
import { previewPicture, smallestPrice, adSpaceLink } from './facts.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import type { ListedWebsite } from '../inventory/browse.ts';
import type { Config } from '#server/platform/settings/config.ts';

type Data = Record<string, unknown>;

const graph = (parts: Data[]): Data => ({ '@context': 'https://schema.org', '@graph': parts });

/** A website with an offer for each pricing option. */
export function siteData(config: Config, { website, zones }: ListedWebsite): Data {
  const offers = zones.flatMap((zone) =>
    zone.products.map((option) => ({
      '@type': 'Offer',
      price: smallestPrice(option),
      priceCurrency: config.currency,
      url: config.publicUrl + adSpaceLink(website, zone),
      availability: 'https://schema.org/InStock',
      itemOffered: { '@type': 'Service', name: `${zone.name}, ${zone.width} × ${zone.height}` },
    })),
  );
  return graph([productOf(config, website, offers)]);
}

/** The websites of one page of the catalogue, each with its cheapest offer. */
export function listData(config: Config, websites: readonly MarketplaceWebsite[]): Data {
  return graph([
    {
      '@type': 'ItemList',
      name: 'Websites that sell ad space',
      itemListElement: websites.map(({ pageUrl, name }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        url: pageUrl,
      })),
    },
    ...websites.map((website) =>
      productOf(
        config,
        website,
        website.lowestPrice === null
          ? []
          : [
              {
                '@type': 'Offer',
                price: website.lowestPrice,
                priceCurrency: config.currency,
                url: website.pageUrl,
                availability: 'https://schema.org/InStock',
              },
            ],
      ),
    ),
  ]);
}

function productOf(config: Config, website: MarketplaceWebsite, offers: Data[]): Data {
  const { name, description, category, picture, pageUrl } = website;
  const image = previewPicture(config, picture);
  return {
    '@type': 'Product',
    name,
    url: pageUrl,
    category: `Ad space: ${category}`,
    ...(description !== null && { description }),
    ...(image !== undefined && { image }),
    offers,
  };
}
