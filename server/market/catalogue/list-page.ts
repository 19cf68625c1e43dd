import { countText } from '#domain/format.ts';
import { AD_KINDS, AD_TYPES } from '#domain/ads/types.ts';
import type { Facets, MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { CATALOGUE_SORT_NAMES, CATALOGUE_SORTS } from '#domain/inventory/sorts.ts';
import { formatVisitors, TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { comparablePrice } from '#domain/inventory/price-text.ts';
import { currencySymbol, moneyText } from '#domain/money.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { input, type Option, select } from '#server/platform/http/page/form.ts';
import type { ServerPage } from '#server/platform/http/page/page.ts';
import { figure, figures, pageLinks } from '#server/platform/http/page/parts.ts';
import { knownCategories } from '../inventory/categories/categories.ts';
import {
  adTypesText,
  lowestOfferText,
  sizeText,
  verification,
  previewPicture,
  sitePicture,
} from './facts.ts';
import { catalogueAddress, type CatalogueQuery, type QueryProblem } from './query.ts';
import { listData } from './structured-data.ts';

const DESCRIPTION =
  'Websites that sell ad space, with their prices, the sizes of their ad zones and their measured views. Look around before you sign up.';

type Results = {
  websites: readonly MarketplaceWebsite[];
  next: string | null;
  /** Of all sites, so they are shown only above all of them. */
  facets: Facets | null;
};

/** The page `/sites`. `problems` are parameters that could not be used; there are no results then. */
export function cataloguePage(
  config: Config,
  query: CatalogueQuery,
  { websites, next, facets }: Results,
  problems: readonly QueryProblem[] = [],
): ServerPage {
  const { cursor, ...search } = query;
  const address = catalogueAddress(query);
  return {
    title: query.category === undefined ? 'Sites with ad space' : `${query.category} sites with ad space`,
    look: 'wide',
    form: true,
    isPublic: true,
    ...(problems.length === 0 && {
      found: {
        description: DESCRIPTION,
        address: config.publicUrl + address,
        picture: previewPicture(config, null),
        data: listData(config, websites),
      },
    }),
    main: html`<h1>Websites that sell ad space</h1>
<p class="lead">See what a site costs, what fits on it and how many views were measured, before you sign up.</p>
${problems.length > 0 && problemList(problems)}
${filters(config, search)}
${facets !== null && facetLinks(config, facets)}
${
  problems.length === 0 &&
  (websites.length === 0
    ? nothing(address !== '/sites')
    : html`<div class="sites">${websites.map((website) => card(config, website))}</div>`)
}
${pageLinks(
  next === null ? null : { href: catalogueAddress({ ...search, cursor: next }), text: 'More sites' },
  cursor !== undefined && { href: catalogueAddress(search), text: 'First page' },
)}`,
  };
}

function problemList(problems: readonly QueryProblem[]): Markup {
  return html`<div class="notice" role="alert"><p><strong>This search can’t be used.</strong></p>
<ul>${problems.map(({ name, value, message }) => html`<li>${LABELS[name] ?? name} “<bdi>${value.slice(0, 80)}</bdi>”: ${message}</li>`)}</ul>
<p><a href="/sites">Show all sites</a></p></div>`;
}

const LABELS: Record<string, string> = {
  q: 'Search',
  category: 'Category',
  traffic: 'Traffic',
  adType: 'Ad type',
  size: 'Size',
  maxPrice: 'Price at most',
  from: 'Open on',
  sort: 'Order',
  cursor: 'Page',
};

function nothing(isSearch: boolean): Markup {
  return isSearch
    ? html`<p class="quiet">No site matches all of these filters. Leave one out, or <a href="/sites">show all sites</a>.</p>`
    : html`<p class="quiet">No site is listed yet. <a href="/auth?tab=signup">Add yours</a></p>`;
}

/** How many sites sell each size, and how many sell something up to each price. */
function facetLinks({ currency }: Config, { sizes, prices }: Facets): Markup {
  const link = (query: Partial<CatalogueQuery>, text: string, count: number) =>
    html`<a href="${catalogueAddress({ sort: 'views', ...query })}">${text} <small>${countText(count)}</small></a>`;
  return html`<nav class="facets" aria-label="Often chosen">${sizes.map(({ count, ...size }) => link({ size }, sizeText(size), count))}
${prices.map(({ upTo, count }) => link({ maxPrice: upTo }, `up to ${moneyText(upTo, currency)}`, count))}</nav>`;
}

const ANY = (text: string): Option => ['', text];

function filters(config: Config, query: CatalogueQuery): Markup {
  const { q, category, traffic, adType, size, maxPrice, from, sort } = query;
  const isMore = [traffic, adType, size, maxPrice, from].some((value) => value !== undefined);
  return html`<form class="filters" role="search" method="get" action="/sites">
<div class="row">
${input({ name: 'q', label: 'Search', type: 'search', value: q, max: 200, more: html`placeholder="Cycling, recipes, a site’s name"` })}
${filter('category', 'Category', category, [ANY('All categories'), ...knownCategories(config).map((value): Option => [value, value])])}
${filter(
  'sort',
  'Order',
  sort,
  CATALOGUE_SORTS.map((value) => [value, CATALOGUE_SORT_NAMES[value]]),
)}
<button class="button">Show sites</button>
</div>
<details${isMore && html` open`}><summary>More filters</summary><div class="row">
${filter('traffic', 'Traffic', traffic, [ANY('Any'), ...TRAFFIC_LEVELS.map((value): Option => [value, TRAFFIC_LABELS[value]])])}
${filter('adType', 'Ad type', adType, [ANY('Any'), ...AD_TYPES.map((value): Option => [value, AD_KINDS[value].name])])}
${input({ name: 'size', label: 'Size', value: size && `${size.width}x${size.height}`, max: 20, more: html`list="sizes" placeholder="300x250"` })}
${input({ name: 'maxPrice', label: `Price at most (${currencySymbol(config.currency)})`, value: maxPrice, max: 11, more: html`inputmode="decimal"` })}
${input({ name: 'from', label: 'Open on', type: 'date', value: from })}
</div>
<datalist id="sizes">${['300x250', '728x90', '160x600', '300x600', '320x50', '970x250'].map((each) => html`<option value="${each}">`)}</datalist>
</details>
</form>`;
}

function filter(name: string, label: string, chosen: string | undefined, options: readonly Option[]): Markup {
  return select({ name, label, options, value: chosen ?? '' });
}

function card(config: Config, website: MarketplaceWebsite): Markup {
  const { name, category, description, measured, monthlyVisitors, sizes, pageUrl, displayAddress } = website;
  const path = (pageUrl ?? '').slice(config.publicUrl.length);
  const price = lowestOfferText(website, config.currency);
  const comparable = comparablePrice(website);
  return html`<article class="card site whole" data-site="${decodeURI(path.slice('/sites/'.length))}">
${sitePicture(website)}
<div><h2 dir="auto"><a href="${path}">${name}</a></h2>
<p><small><span class="address">${displayAddress}</span>${category} · ${verification(website)}</small></p></div>
<p class="clamp" dir="auto">${description ?? 'No description available'}</p>
${figures([
  measured
    ? figure('views a day, measured', countText(measured.viewsPerDay))
    : unknown('views a day', 'Not measured yet'),
  comparable !== null && figure(comparable.unit, moneyText(comparable.amount, config.currency)),
])}
<div><p>${price === null ? 'No ad space available right now' : html`from <strong>${price}</strong>`}</p>
${sizes.length > 0 && html`<p><small>${adTypesText(website)} · ${sizes.map(sizeText).join(', ')}</small></p>`}
${monthlyVisitors > 0 && html`<p class="stated"><small>${formatVisitors(monthlyVisitors)} visitors a month, stated by the publisher</small></p>`}</div>
</article>
`;
}

const unknown = (name: string, text: string) =>
  html`<div class="unknown"><dt>${name}</dt><dd>${text}</dd></div>`;
