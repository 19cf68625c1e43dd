import { useEffect, useRef, useState } from 'react';
import { Search, SlidersHorizontal } from 'lucide-react';
import { FILTER_CATEGORIES } from '#domain/inventory/categories.ts';
import { formatVisitors, trafficLevel, type TrafficLevel } from '#domain/inventory/traffic.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { SYMBOL } from '#web/ui/format/format.ts';
import { Select, optionsOf } from '#web/ui/forms/select.tsx';

type SampleSite = {
  name: string;
  category: string;
  pricePerDay: number;
  visitors: number;
  audience: string;
  adTypes: readonly string[];
};

/** Sample data. The preview sends no request to the server. [LAND-09, LAND-16] */
const SITES: readonly SampleSite[] = [
  {
    name: 'Circuit Notes',
    category: 'Technology',
    pricePerDay: 25,
    visitors: 85_000,
    audience: 'Developers and people who choose their tools',
    adTypes: ['Text', 'Image', 'Video'],
  },
  {
    name: 'The Slow Kitchen',
    category: 'Lifestyle',
    pricePerDay: 15,
    visitors: 8_200,
    audience: 'Home cooks who read to the end',
    adTypes: ['Text', 'Image'],
  },
  {
    name: 'Ledger Weekly',
    category: 'Business',
    pricePerDay: 35,
    visitors: 42_500,
    audience: 'Owners and managers of small companies',
    adTypes: ['Image', 'Video'],
  },
];

/** The preview words the low level differently from the marketplace. [LAND-25, OP-077] */
const TRAFFIC_OPTIONS: readonly { value: TrafficLevel | 'all'; label: string }[] = [
  { value: 'all', label: 'All traffic levels' },
  { value: 'high', label: 'High (50k+)' },
  { value: 'medium', label: 'Medium (10k-50k)' },
  { value: 'low', label: 'Low (1k-10k)' },
];

const CATEGORY_OPTIONS = [{ value: 'all', label: 'All categories' }, ...optionsOf(FILTER_CATEGORIES)];

function matching(form: HTMLFormElement): SampleSite[] {
  const fields = new FormData(form);
  const search = fields.get('search');
  const words = typeof search === 'string' ? search.trim().toLowerCase() : '';
  const category = fields.get('category');
  const traffic = fields.get('traffic');
  return SITES.filter(
    (site) =>
      `${site.name} ${site.audience} ${site.category}`.toLowerCase().includes(words) &&
      (category === 'all' || category === site.category) &&
      (traffic === 'all' || traffic === trafficLevel(site.visitors)),
  );
}

export function LandingPreview({ signUp }: { signUp: string }) {
  const [sites, setSites] = useState(SITES);
  const form = useRef<HTMLFormElement>(null);

  // A visitor who submitted the form before our scripts loaded sent it to the server. The address holds the filters.
  useEffect(() => {
    const asked = new URLSearchParams(window.location.search);
    for (const field of form.current?.querySelectorAll<HTMLInputElement>('[name]') ?? []) {
      field.value = asked.get(field.name) ?? field.value;
    }
    if (form.current && asked.has('category')) setSites(matching(form.current));
  }, []);

  return (
    <section aria-labelledby="preview" className="grid gap-6">
      <div className="grid gap-1.5">
        <h2 id="preview" className="text-3xl font-semibold">
          A look at the marketplace
        </h2>
        <p className="text-ink-soft">Three sample websites, to show how it looks.</p>
      </div>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          setSites(matching(event.currentTarget));
        }}
        className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_auto]"
      >
        <PrefixedInput
          prefix={<Search />}
          name="search"
          type="search"
          aria-label="Search websites"
          placeholder="Search websites"
        />
        <Select name="category" aria-label="Category" options={CATEGORY_OPTIONS} />
        <Select name="traffic" aria-label="Traffic level" options={TRAFFIC_OPTIONS} />
        <Button type="submit" variant="secondary">
          <SlidersHorizontal aria-hidden="true" />
          Filter
        </Button>
      </form>
      <div aria-live="polite">
        {sites.length === 0 ? (
          <EmptyState title="No sample websites match">
            Try another word, category or traffic level.
          </EmptyState>
        ) : (
          <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
            {sites.map((site) => (
              <SiteCard key={site.name} site={site} signUp={signUp} />
            ))}
          </ul>
        )}
      </div>
      <MoreSites signUp={signUp} />
    </section>
  );
}

function MoreSites({ signUp }: { signUp: string }) {
  return (
    <div className="grid justify-items-center gap-4">
      {/* A page that the server renders, so it is no link of the application's router. */}
      <a
        href="/sites"
        className="rounded-tight font-medium text-accent underline underline-offset-4 no-catalogue:hidden"
      >
        Browse real sites
      </a>
      <ButtonLink href={signUp} variant="secondary">
        Load More Websites
      </ButtonLink>
    </div>
  );
}

function SiteCard({ site, signUp }: { site: SampleSite; signUp: string }) {
  return (
    <li
      data-testid="sample-site"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-rest"
    >
      <div className="flex items-start justify-between gap-4">
        <div>
          <h3 className="font-semibold">{site.name}</h3>
          <p className="text-xs text-ink-faint">{site.category}</p>
        </div>
        <p className="figures text-right">
          <span className="text-xl font-semibold">{`${SYMBOL}${site.pricePerDay}`}</span>
          <span className="block text-xs text-ink-faint">per day</span>
        </p>
      </div>
      <dl className="grid gap-2 text-sm">
        <div className="flex justify-between gap-4">
          <dt className="text-ink-faint">Monthly visitors</dt>
          <dd className="figures font-medium">{formatVisitors(site.visitors)}</dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt className="text-ink-faint">Audience</dt>
          <dd className="text-right">{site.audience}</dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-1.5">
        {site.adTypes.map((type) => (
          <Badge key={type}>{type}</Badge>
        ))}
      </div>
      <ButtonLink href={signUp} wide className="mt-auto">
        Advertise Here
      </ButtonLink>
    </li>
  );
}
