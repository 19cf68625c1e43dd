import { Fragment, type ReactNode } from 'react';
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
  /** Makes each row as low as its line, and two lines on a phone. */
  dense?: boolean;
  /** The group of a row. Rows of one group stand together, below its head. */
  groupOf?: (row: Row) => Group | null;
};

type Group = { key: string; head: ReactNode };

/**
 * A card is a grid of three columns, and the first column takes the width that the others leave. `start` and `end`
 * place two cells side by side. In the third and the fourth row the second cell may be wider than the corner above it.
 */
const CARD_PLACES = {
  wide: 'max-md:col-span-3',
  start: 'max-md:col-start-1 max-md:col-span-2',
  end: 'max-md:col-start-3 max-md:justify-self-end max-md:text-right',
  'second-start': 'max-md:col-start-1 max-md:row-start-2',
  'second-end': 'max-md:col-start-2 max-md:col-span-2 max-md:row-start-2 max-md:justify-self-end',
  /** Only screens from 1024 px show the column. */
  none: 'hidden lg:table-cell',
  corner: 'max-md:col-start-3 max-md:row-start-1 max-md:justify-self-end',
  'third-start': 'max-md:col-start-1 max-md:row-start-3',
  'third-end': 'max-md:col-start-2 max-md:col-span-2 max-md:row-start-3 max-md:justify-self-end',
  'fourth-start': 'max-md:col-start-1 max-md:row-start-4',
  'fourth-end': 'max-md:col-start-2 max-md:col-span-2 max-md:row-start-4 max-md:justify-self-end',
} as const;

type CardPlace = keyof typeof CARD_PLACES;

/** A table. Use `cards` to make it fit a phone; without `cards` the caller must let it scroll. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  groupOf,
  cards = false,
  dense = false,
  middle = false,
}: TableProps<Row>) {
  return (
    <div className={cn(cards && 'min-w-0 md:overflow-x-auto')}>
      {/* Explicit roles, because `display: grid` on a narrow screen removes the native ones. */}
      <table
        role="table"
        aria-label={label}
        className={cn(
          'w-full text-left text-sm',
          cards && 'block md:table',
          columns.every(({ width }) => width !== undefined) && (dense ? 'md:table-fixed' : 'lg:table-fixed'),
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
                  column.card === 'none' && CARD_PLACES.none,
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={cn('divide-y divide-line', cards && 'block md:table-row-group')}>
          {rows.map((row, at) => {
            const group = groupOf?.(row) ?? null;
            const before = at === 0 ? null : groupOf?.(rows[at - 1] as Row);
            return (
              <Fragment key={rowKey(row)}>
                {group !== null && group.key !== before?.key && (
                  <GroupHead cards={cards} columns={columns}>
                    {group.head}
                  </GroupHead>
                )}
                <TableRow {...{ row, columns, cards, dense, middle }} isGrouped={group !== null} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type GroupHeadProps<Row> = { cards: boolean; columns: readonly Column<Row>[]; children: ReactNode };

function GroupHead<Row>({ cards, columns, children }: GroupHeadProps<Row>) {
  const hidden = columns.filter(({ card }) => card === 'none').length;
  return (
    <tr role="row" className={cn('bg-sunken/60', cards && 'block md:table-row')}>
      <th
        role="rowheader"
        scope="colgroup"
        colSpan={columns.length - hidden}
        className={cn('px-inset py-1.5 text-left text-xs font-medium', cards && 'block md:table-cell')}
      >
        {children}
      </th>
      {/* A head that is wider than the shown columns would make columns of its own. */}
      {hidden > 0 && <td aria-hidden="true" colSpan={hidden} className={CARD_PLACES.none} />}
    </tr>
  );
}

type TableRowProps<Row> = Pick<TableProps<Row>, 'columns' | 'cards' | 'middle' | 'dense'> & {
  row: Row;
  isGrouped: boolean;
};

function TableRow<Row>({ row, columns, cards, middle, dense, isGrouped }: TableRowProps<Row>) {
  return (
    <tr
      role="row"
      className={cn(
        cards && 'grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-3 px-inset md:table-row md:p-0',
        cards && (dense ? 'py-1' : 'gap-y-1.5 py-4'),
        isGrouped && '[&>td:first-child]:pl-3 md:[&>td:first-child]:pl-[calc(var(--spacing-inset)+1rem)]',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.header}
          role="cell"
          className={cn(
            'md:px-3 md:first:pl-inset md:last:pr-inset',
            dense ? 'md:py-1' : 'md:py-2',
            column.card === 'none'
              ? CARD_PLACES.none
              : cards
                ? `block min-w-0 md:table-cell ${CARD_PLACES[placeOf(column, row)]}`
                : cn('px-2 first:pl-inset last:pr-inset', dense ? 'py-1' : 'py-2.5'),
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
  );
}

function placeOf<Row>({ card = 'wide' }: Column<Row>, row: Row): CardPlace {
  return typeof card === 'function' ? card(row) : card;
}
