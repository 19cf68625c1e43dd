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
  const first = [...grouped.keys()].toSorted()[0];
  const months: Month<Item>[] = [];
  for (let back = 0; ; back++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
      .toISOString()
      .slice(0, 7);
    if (back > 0 && (first === undefined || month < first)) return months;
    months.push({ month, items: grouped.get(month) ?? [] });
  }
}

type MonthsProps<Item> = {
  /** Names the list of each month, such as 'Payments'. */
  label: string;
  months: readonly Month<Item>[];
  side: LedgerSide;
  keyOf: (item: Item) => string;
  line: (item: Item) => ReactNode;
};

export function Months<Item>({ label, months, side, keyOf, line }: MonthsProps<Item>) {
  return (
    <div className="divide-y divide-line">
      {months.map(({ month, items }) => (
        <section key={month} aria-label={monthText(month)} className="grid gap-1 py-3 first:pt-0 last:pb-0">
          <h3 className="text-sm font-semibold">{monthText(month)}</h3>
          {items.length > 0 && (
            <ul aria-label={`${label} of ${monthText(month)}`} className="divide-y divide-line/60 text-sm">
              {items.map((item) => (
                <li key={keyOf(item)} className="py-2.5">
                  {line(item)}
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
