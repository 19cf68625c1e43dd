import type { ReactNode } from 'react';
import { cn } from './cn.ts';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Use 'right' for figures. */
  align?: 'left' | 'right';
  /** The cell's position if the row is a card on a phone. The default is the full width. */
  card?: CardPlace | ((row: Row) => CardPlace);
  className?: string;
  /** The column's share of the width, in percent. With a width in every column, long texts wrap instead of widening theirs. */
  width?: number;
};

type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Turns each row into a card on screens narrower than 768 px, so that the table doesn't scroll sideways. */
  cards?: boolean;
  /** Aligns cells to the middle of their row instead of its top. */
  middle?: boolean;
};

/**
 * A card is a grid of three columns, and the first column takes the width that the others leave. `start` and `end`
 * place two cells side by side. In the third and the fourth row the second cell may be wider than the corner above it.
 */
const CARD_PLACES = {
  wide: 'max-md:col-span-3',
  start: 'max-md:col-start-1 max-md:col-span-2',
  end: 'max-md:col-start-3 max-md:justify-self-end max-md:text-right',
  corner: 'max-md:col-start-3 max-md:row-start-1 max-md:justify-self-end',
  'third-start': 'max-md:col-start-1 max-md:row-start-3',
  'third-end': 'max-md:col-start-2 max-md:col-span-2 max-md:row-start-3 max-md:justify-self-end',
  'fourth-start': 'max-md:col-start-1 max-md:row-start-4',
  'fourth-end': 'max-md:col-start-2 max-md:col-span-2 max-md:row-start-4 max-md:justify-self-end',
} as const;

type CardPlace = keyof typeof CARD_PLACES;

/** A table. Use `cards` to make it fit a phone; without `cards` the caller must let it scroll. */
export function Table<Row>({ label, columns, rows, rowKey, cards = false, middle = false }: TableProps<Row>) {
  return (
    <div className={cn(cards && 'min-w-0 md:overflow-x-auto')}>
      {/* Explicit roles, because `display: grid` on a narrow screen removes the native ones. */}
      <table
        role="table"
        aria-label={label}
        className={cn(
          'w-full text-left text-sm',
          cards && 'block md:table',
          columns.every(({ width }) => width !== undefined) && 'lg:table-fixed',
        )}
      >
        <thead role="rowgroup" className={cn(cards && 'hidden md:table-header-group')}>
          <tr role="row" className="border-b border-line text-xs text-ink-faint">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                {...(column.width !== undefined && { style: { width: `${column.width}%` } })}
                className={cn(
                  'px-3 py-2.5 font-medium whitespace-nowrap first:pl-inset last:pr-inset',
                  !cards && 'max-md:px-2',
                  column.align === 'right' && 'text-right',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={cn('divide-y divide-line', cards && 'block md:table-row-group')}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={cn(
                cards &&
                  'grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-3 gap-y-1.5 px-inset py-4 md:table-row md:p-0',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.header}
                  role="cell"
                  className={cn(
                    'md:px-3 md:py-2 md:first:pl-inset md:last:pr-inset',
                    cards
                      ? `block min-w-0 md:table-cell ${CARD_PLACES[placeOf(column, row)]}`
                      : 'px-2 py-2.5 first:pl-inset last:pr-inset',
                    middle ? 'align-middle' : 'align-top',
                    column.align === 'right' && 'figures md:text-right',
                    column.align === 'right' && !cards && 'text-right',
                    column.className,
                  )}
                >
                  {/* A card has no header row, so screen readers get the header with each cell. */}
                  {cards && <span className="sr-only md:hidden">{column.header}: </span>}
                  <div className="min-w-0 break-words">{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function placeOf<Row>({ card = 'wide' }: Column<Row>, row: Row): CardPlace {
  return typeof card === 'function' ? card(row) : card;
}
