import type { ReactNode } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Link } from 'wouter';
import type { AdType } from '#domain/ads/types.ts';
import { shortPercentText } from '#domain/format.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { DEFAULT_SORT, type Sort } from '#domain/inventory/sorts.ts';
import { comparablePrice } from '#domain/inventory/price-text.ts';
import { formatVisitors } from '#domain/inventory/traffic.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { WebsitePicture } from '../website-picture.tsx';
import { advertiseAt, AdTypes, lowestOfferText, NameLink, TrafficLabel } from './website-facts.tsx';

type Column = {
  header: string;
  /** The order that a press on the header chooses. */
  sort?: Exclude<Sort, 'newest'>;
  align?: 'right';
  cell: (website: MarketplaceWebsite) => ReactNode;
};

/** A figure that is not known leaves its cell empty. */
const COLUMNS: readonly Column[] = [
  { header: 'Website', sort: 'name', cell: (website) => <Name website={website} /> },
  {
    header: 'Topic',
    cell: ({ category }) => (
      <span title={category} className="block max-w-40 truncate">
        {category}
      </span>
    ),
  },
  {
    header: 'Traffic a month',
    cell: (website) => (
      <>
        <TrafficLabel website={website} />
        {website.monthlyVisitors > 0 && ` · ${formatVisitors(website.monthlyVisitors)}`}
      </>
    ),
  },
  {
    header: 'Views a day',
    sort: 'views',
    align: 'right',
    cell: ({ measured }) => measured && formatCount(measured.viewsPerDay),
  },
  {
    header: 'CTR',
    sort: 'ctr',
    align: 'right',
    cell: ({ measured }) => measured && measured.clickRate !== null && shortPercentText(measured.clickRate),
  },
  {
    header: 'Per 1,000 views',
    sort: 'price',
    align: 'right',
    cell: (website) => <ComparablePrice website={website} />,
  },
  { header: 'Price from', align: 'right', cell: lowestOfferText },
  { header: 'Ad types', cell: (website) => <AdTypes website={website} /> },
];

/** In the column of 1,000 views, another unit is named. */
function ComparablePrice({ website }: { website: MarketplaceWebsite }) {
  const price = comparablePrice(website);
  if (price === null) return null;
  return (
    <>
      {formatMoney(price.amount)}
      {website.costPerThousand === null && <span className="text-ink-faint"> {price.unit}</span>}
    </>
  );
}

/** The link stays in view if long prices make the table scroll sideways. */
const ACTION = 'sticky right-0 bg-surface group-hover:bg-sunken';

type WebsiteTableProps = {
  websites: readonly MarketplaceWebsite[];
  /** Goes into the links to the wizard. */
  adType?: AdType | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Lets the advertiser tick websites for a plan. Absent for others. */
  ticks?: Ticks | undefined;
};

/** The websites that are ticked for a plan. */
export type Ticks = {
  isTicked: (website: MarketplaceWebsite) => boolean;
  onTick: (website: MarketplaceWebsite) => void;
};

/** Compares websites: twenty rows fit on a screen of 1280x800. */
export function WebsiteTable({ websites, adType, sort, onSort, ticks }: WebsiteTableProps) {
  return (
    <div className="relative overflow-x-auto rounded-card border border-line bg-surface shadow-rest">
      <table aria-label="Websites" className="w-full text-left text-xs leading-5 whitespace-nowrap">
        <thead>
          <tr className="border-b border-line text-ink-faint">
            {ticks && (
              <th scope="col" className="py-1 pl-3">
                <span className="sr-only">Plan</span>
              </th>
            )}
            {COLUMNS.map((column) => (
              <Header key={column.header} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col" className={cn('py-1 pr-4 pl-1.5', ACTION)}>
              <span className="sr-only">Advertise</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {websites.map((website) => (
            <tr key={website.publicId} className="group h-7 hover:bg-sunken">
              {ticks && <Tick website={website} ticks={ticks} />}
              {COLUMNS.map(({ header, align, cell }) => (
                <td
                  key={header}
                  className={cn('px-1.5 py-0 first:pl-4', align === 'right' && 'figures text-right')}
                >
                  {cell(website)}
                </td>
              ))}
              <td className={cn('py-0 pr-4 pl-1.5 text-right', ACTION)}>
                <Link
                  href={advertiseAt(website, adType)}
                  aria-describedby={`website-${website.publicId}`}
                  className="inline-block rounded-tight leading-6 font-medium text-accent hover:underline"
                >
                  Advertise<span className="sr-only"> Here</span>
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Tick({ website, ticks }: { website: MarketplaceWebsite; ticks: Ticks }) {
  const canBook = website.lowestOffer !== null;
  return (
    <td className="py-0 pl-3">
      {/* The label is as high as the row, so that it is easy to hit. */}
      <label
        className="grid size-6 place-items-center"
        title={canBook ? 'Add to plan' : 'No ad space available right now'}
      >
        <input
          type="checkbox"
          className="size-4 accent-accent"
          aria-label={`Add ${website.name} to your plan`}
          checked={ticks.isTicked(website)}
          disabled={!canBook}
          onChange={() => ticks.onTick(website)}
        />
      </label>
    </td>
  );
}

type HeaderProps = { column: Column; sort: Sort; onSort: (sort: Sort) => void };

function Header({ column: { header, sort: own, align }, sort, onSort }: HeaderProps) {
  const isSorted = own === sort;
  const rises = own === 'name' || own === 'price';
  const Arrow = rises ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (rises ? 'ascending' : 'descending') : undefined}
      className={cn('px-1.5 py-1 font-medium first:pl-4', align === 'right' && 'text-right')}
    >
      {own ? (
        <button
          type="button"
          onClick={() => onSort(isSorted ? DEFAULT_SORT : own)}
          className={cn(
            'inline-flex h-6 items-center gap-1 rounded-tight hover:text-ink',
            isSorted && 'font-semibold text-ink',
          )}
        >
          {header}
          <Arrow aria-hidden="true" className={cn('size-3', !isSorted && 'opacity-35')} />
        </button>
      ) : (
        header
      )}
    </th>
  );
}

function Name({ website }: { website: MarketplaceWebsite }) {
  return (
    <span className="flex items-center gap-2">
      <WebsitePicture website={website} className="size-5 rounded-tight" />
      <span
        id={`website-${website.publicId}`}
        dir="auto"
        className="max-w-36 truncate font-medium"
        title={website.name}
      >
        <NameLink website={website} />
      </span>
      {!website.isVerified && (
        <span className="text-warn" title={UNVERIFIED_WARNING}>
          Unverified
        </span>
      )}
    </span>
  );
}
