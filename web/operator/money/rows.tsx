/** What the pages about money share: their sections, rows and links. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CURRENCIES, moneyText } from '#domain/money.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ActButtons } from '../parts/act-button.tsx';

/** An amount in its own currency, which a card may have charged in another one than the marketplace's. */
export function sumText({ amount, currency }: { amount: string; currency: string }): string {
  const known = CURRENCIES.find((each) => each === currency);
  return known ? moneyText(amount, known) : `${amount} ${currency}`;
}

type SectionProps = {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** A part of a page: its heading above the rows of a list. */
export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <Card padded={false} aria-label={title}>
      <CardHeader title={title} description={description} actions={actions} className="px-inset py-4" />
      <div className="border-t border-line">{children}</div>
    </Card>
  );
}

type RowsProps<Item> = {
  label: string;
  items: readonly Item[];
  /** Said in place of an empty list. */
  empty: string;
  keyOf: (item: Item) => string | number;
  children: (item: Item) => ReactNode;
};

export function Rows<Item>({ label, items, empty, keyOf, children }: RowsProps<Item>) {
  if (items.length === 0) return <p className="px-inset py-4 text-sm text-ink-soft">{empty}</p>;
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {items.map((item) => (
        <li key={keyOf(item)} className="px-inset py-3">
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

type MoneyRowProps = {
  /** Such as '$1.50'. */
  amount: string;
  /** What the amount is, beside it. */
  title?: ReactNode;
  badge?: ReactNode;
  /** A line below. */
  children?: ReactNode;
  acts?: readonly OfferedAct[];
  /** Names the row where several have the same button. */
  about?: string;
};

const NO_ACTS: readonly OfferedAct[] = [];

/** One amount, what it is about, and what can be done with it. */
export function MoneyRow({ amount, title, badge, children, acts = NO_ACTS, about }: MoneyRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span className="figures font-medium">{amount}</span>
          {title !== undefined && <span className="min-w-0 text-sm wrap-anywhere">{title}</span>}
          {badge}
        </p>
        {children !== undefined && <div className="text-sm wrap-anywhere text-ink-soft">{children}</div>}
      </div>
      <ActButtons acts={acts} {...(about !== undefined && { about })} />
    </div>
  );
}

const linkLooks = 'text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent';

export function AdLink({ ad: { id, title } }: { ad: { id: number; title: string } }) {
  return (
    <Link href={`/operator/ads/${id}`} className={linkLooks}>
      <bdi>{title}</bdi>
    </Link>
  );
}

export function PersonLink({ userId, name }: { userId: number; name: string | null }) {
  return (
    <Link href={`/operator/people/${userId}`} className={linkLooks}>
      <bdi>{name ?? 'Deleted account'}</bdi>
    </Link>
  );
}
