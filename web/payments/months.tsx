import type { ReactNode } from 'react';
import { monthText } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { StatementFold } from './statement-fold.tsx';

export type Month<Item> = { month: string; items: readonly Item[] };

/**
 * Groups a list by its months in UTC, the newest first, from the present month on. A month without an item is kept,
 * because it has a statement if something of an earlier payment was delivered in it.
 */
export function byMonth<Item>(
  items: readonly Item[],
  monthOf: (item: Item) => string,
  now: Date,
): Month<Item>[] {
  const grouped = Map.groupBy(items, monthOf);
  // The clock of the server may be ahead.
  const known = [...grouped.keys(), now.toISOString().slice(0, 7)].toSorted();
  const [first = '', last = ''] = [known[0], known.at(-1)];
  const months: Month<Item>[] = [];
  for (let month = last; month >= first; month = monthBefore(month))
    months.push({ month, items: grouped.get(month) ?? [] });
  return months;
}

function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

type MonthsProps<Item> = {
  /** Names the list of each month, such as 'Payments'. */
  label: string;
  months: readonly Month<Item>[];
  side: LedgerSide;
  keyOf: (item: Item) => string;
  renderLine: (item: Item) => ReactNode;
};

export function Months<Item>({ label, months, side, keyOf, renderLine }: MonthsProps<Item>) {
  return (
    <div className="divide-y divide-line">
      {months.map(({ month, items }) => (
        <section key={month} aria-label={monthText(month)} className="grid gap-1 py-3 first:pt-0 last:pb-0">
          <h3 className="text-sm font-semibold">{monthText(month)}</h3>
          {items.length > 0 && (
            <ul aria-label={`${label} of ${monthText(month)}`} className="divide-y divide-line/60 text-sm">
              {items.map((item) => (
                <li key={keyOf(item)} className="py-2.5">
                  {renderLine(item)}
                </li>
              ))}
            </ul>
          )}
          <StatementFold month={month} side={side} />
        </section>
      ))}
    </div>
  );
}
