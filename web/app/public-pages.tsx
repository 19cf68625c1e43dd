import type { RouteEntry } from './routes.ts';
import { LANDING, ROUTES } from './routes.ts';

/** A page that search engines may index. All other pages carry `noindex`. */
export type PublicPage = {
  path: string;
  title: string;
  description: string;
  /** When the build can render the page, because it is the same for every visitor. `/auth` differs by query. */
  drawn: 'always' | 'without-query';
  /** Whether the page is in the site map. */
  listed: boolean;
};

/** A placeholder for the address of the server, which the build doesn't know. The server replaces it when it starts. */
export const PUBLIC_URL = '%PUBLIC_URL%';

/**
 * A placeholder like PUBLIC_URL, for the code of the currency. In a text, `%EARNED%` is one for the publisher's percent, and
 * `%NAME%` for the marketplace's name, which is `%NAME_JSON%` within JSON.
 */
const CURRENCY = '%CURRENCY%';

const PRODUCT =
  '%NAME% is the open marketplace for ad space: sell ad zones on your website, or book them, in minutes. Publishers approve every ad and keep %EARNED%% of every sale.';

export const PUBLIC_PAGES: readonly PublicPage[] = [
  { path: '/', title: titleOf(LANDING), description: PRODUCT, drawn: 'always', listed: true },
  {
    path: '/demo',
    title: titleOf(entryOf('/demo')),
    description:
      'Three open ad zones on a sample website. Each box leads to the page where an advertiser books that ad zone.',
    drawn: 'always',
    listed: true,
  },
  {
    path: '/auth',
    title: titleOf(entryOf('/auth')),
    description: 'Sign in to your ad zones and campaigns, or create a free %NAME% account.',
    drawn: 'without-query',
    listed: false,
  },
];

function entryOf(path: string): RouteEntry {
  const entry = ROUTES.find((route) => route.path === path);
  if (!entry) throw new Error(`There is no route ${path}`);
  return entry;
}

/** The same title that `useTitle` sets. */
function titleOf({ title }: RouteEntry): string {
  return `${title} · %NAME%`;
}

/** The part of <head> that differs between pages. `page` is undefined for pages that search engines must not index. */
export function PageHead({ page }: { page: PublicPage | undefined }) {
  if (!page) {
    return (
      <>
        <title>%NAME%</title>
        <meta name="robots" content="noindex" />
      </>
    );
  }
  const address = PUBLIC_URL + page.path;
  const picture = `${PUBLIC_URL}%CARD%`;
  return (
    <>
      <title>{page.title}</title>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="%NAME%" />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="%CARD_TEXT%" />
      <meta name="twitter:card" content="summary_large_image" />
      {page.path === '/' && (
        // Browsers don't run this type of script, so the content security policy doesn't apply to it.
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: structuredData() }} />
      )}
    </>
  );
}

const PRODUCT_JSON = PRODUCT.replace('%NAME%', '%NAME_JSON%');

/** Describes the organization, the website and the application by the vocabulary of https://schema.org. */
function structuredData(): string {
  const home = `${PUBLIC_URL}/`;
  const organization = { '@id': `${home}#organization` };
  const graph = [
    {
      '@type': 'Organization',
      ...organization,
      name: '%NAME_JSON%',
      url: home,
      logo: `${PUBLIC_URL}%ICON_512%`,
    },
    {
      '@type': 'WebSite',
      '@id': `${home}#website`,
      name: '%NAME_JSON%',
      url: home,
      description: PRODUCT_JSON,
      inLanguage: 'en',
      publisher: organization,
    },
    {
      '@type': 'WebApplication',
      '@id': `${home}#application`,
      name: '%NAME_JSON%',
      url: home,
      description: PRODUCT_JSON,
      applicationCategory: 'BusinessApplication',
      operatingSystem: 'Any',
      browserRequirements: 'Requires JavaScript',
      isAccessibleForFree: true,
      license: 'https://opensource.org/license/mit',
      offers: { '@type': 'Offer', price: '0', priceCurrency: CURRENCY },
      publisher: organization,
    },
  ];
  // A '<' in the JSON could end the script element.
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
}
