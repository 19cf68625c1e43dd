import { countText } from '#domain/format.ts';
import { AD_KINDS, AD_TYPES } from '#domain/ads/types.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { CATALOGUE_SORT_NAMES, CATALOGUE_SORTS } from '#domain/inventory/sorts.ts';
import { formatVisitors, TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { currencySymbol } from '#domain/money.ts';
import type { Config } from '../config.ts';
import { html, type Markup } from '../http/html.ts';
import type { ServerPage } from '../http/page/page.ts';
import { knownCategories } from '../inventory/categories/categories.ts';
import { frameOf } from '../pages/frame.ts';
import { adTypesText, lowestOfferText, sizeText, verification } from './facts.ts';
import { STYLE } from './style.ts';
import { catalogueAddress, type CatalogueQuery, type QueryProblem } from './query.ts';
import { previewPicture, sitePicture } from './site-picture.ts';
import { listData } from './structured-data.ts';

const DESCRIPTION =
  'Websites that sell ad space, with their prices, the sizes of their ad zones and their measured views. Look around before you sign up.';

type Results = { websites: readonly MarketplaceWebsite[]; next: string | null };

/** The page `/sites`. `problems` are parameters that could not be used; there are no results then. */
export function cataloguePage(
  config: Config,
  query: CatalogueQuery,
  { websites, next }: Results,
  problems: readonly QueryProblem[] = [],
): ServerPage {
  const { cursor, ...search } = query;
  const address = catalogueAddress(query);
  const isFirst = cursor === undefined;
  const pages = [
    !isFirst && html`<a class="plain" href="${catalogueAddress(search)}">First page</a>`,
    next !== null &&
      html`<a class="button" rel="next" href="${catalogueAddress({ ...search, cursor: next })}">More sites</a>`,
  ].filter((link) => link !== false);
  return {
    ...frameOf(config),
    title: query.category === undefined ? 'Sites with ad space' : `${query.category} sites with ad space`,
    style: STYLE,
    wide: true,
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
${
  problems.length === 0 &&
  (websites.length === 0
    ? nothing(address !== '/sites')
    : html`<div class="sites">${websites.map((website) => card(config, website))}</div>`)
}
${pages.length > 0 && html`<nav class="actions" aria-label="Pages">${pages}</nav>`}`,
  };
}

function problemList(problems: readonly QueryProblem[]): Markup {
  return html`<div class="notice" role="alert"><p><strong>This search can’t be used.</strong></p>
<ul>${problems.map(({ name, value, message }) => html`<li>${LABELS[name] ?? name} “<bdi>${value.slice(0, 80)}</bdi>”: ${message}</li>`)}</ul>
<p><a href="/sites">Show all sites</a></p></div>`;
}

const LABELS: Record<string, string> = {
  q: 'Words',
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

type Option = { value: string; label: string };
const ANY = (label: string): Option => ({ value: '', label });

function filters(config: Config, query: CatalogueQuery): Markup {
  const { q, category, traffic, adType, size, maxPrice, from, sort } = query;
  const isMore = [traffic, adType, size, maxPrice, from].some((value) => value !== undefined);
  return html`<form class="filters" role="search" method="get" action="/sites">
<div class="row">
<div class="field"><label for="q">Words</label><input id="q" name="q" type="search" maxlength="200" dir="auto" value="${q}" placeholder="Cycling, recipes, a site’s name"></div>
${select('category', 'Category', [ANY('All categories'), ...knownCategories(config).map((value) => ({ value, label: value }))], category)}
${select(
  'sort',
  'Order',
  CATALOGUE_SORTS.map((value) => ({ value, label: CATALOGUE_SORT_NAMES[value] })),
  sort,
)}
<button class="button">Show sites</button>
</div>
<details${isMore && html` open`}><summary>More filters</summary><div class="row">
${select('traffic', 'Traffic', [ANY('Any'), ...TRAFFIC_LEVELS.map((value) => ({ value, label: TRAFFIC_LABELS[value] }))], traffic)}
${select('adType', 'Ad type', [ANY('Any'), ...AD_TYPES.map((value) => ({ value, label: AD_KINDS[value].name }))], adType)}
<div class="field"><label for="size">Size</label><input id="size" name="size" list="sizes" maxlength="20" placeholder="300x250" value="${size && `${size.width}x${size.height}`}"></div>
<div class="field"><label for="maxPrice">Price at most (${currencySymbol(config.currency)})</label><input id="maxPrice" name="maxPrice" inputmode="decimal" maxlength="11" value="${maxPrice}"></div>
<div class="field wide"><label for="from">Open on</label><input id="from" name="from" type="date" value="${from}"></div>
</div>
<datalist id="sizes">${['300x250', '728x90', '160x600', '300x600', '320x50', '970x250'].map((each) => html`<option value="${each}">`)}</datalist>
</details>
</form>`;
}

function select(name: string, label: string, options: readonly Option[], chosen: string | undefined): Markup {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    (option) =>
      html`<option value="${option.value}"${option.value === (chosen ?? '') && html` selected`}>${option.label}</option>`,
  )}</select></div>`;
}

function card(config: Config, website: MarketplaceWebsite): Markup {
  const { name, category, description, measured, monthlyVisitors, sizes, pageUrl, displayAddress } = website;
  const path = (pageUrl ?? '').slice(config.publicUrl.length);
  const price = lowestOfferText(website, config.currency);
  return html`<article class="site" data-site="${decodeURI(path.slice('/sites/'.length))}">
${sitePicture(website)}
<div><h2 dir="auto"><a href="${path}">${name}</a></h2>
<p class="meta"><span class="address">${displayAddress}</span>${category} · ${verification(website)}</p></div>
<p class="about" dir="auto">${description ?? 'No description available'}</p>
<dl class="numbers">
${
  measured
    ? html`<div><dt>views a day, measured</dt><dd>${countText(measured.viewsPerDay)}</dd></div>`
    : html`<div class="unknown"><dt>views a day</dt><dd>Not measured yet</dd></div>`
}
${
  monthlyVisitors > 0
    ? html`<div><dt>visitors a month, stated</dt><dd>${formatVisitors(monthlyVisitors)}</dd></div>`
    : html`<div class="unknown"><dt>visitors a month</dt><dd>Not stated</dd></div>`
}
</dl>
<div class="price"><p>${price === null ? 'No ad space available right now' : html`from <strong>${price}</strong>`}</p>
${sizes.length > 0 && html`<p class="meta">${adTypesText(website)} · ${sizes.map(sizeText).join(', ')}</p>`}</div>
</article>
`;
}
