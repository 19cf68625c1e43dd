import { cn } from './cn.ts';
import type { Column } from './table.tsx';

/**
 * A column of figures. A card on a phone has no header row, so each figure has its name before it. `isSum` marks a row with
 * the figures of those below it.
 */
export function figureColumn<Row extends object>(header: string, valueOf: (row: Row) => string): Column<Row> {
  return {
    header,
    align: 'right',
    cell: (row) => (
      <span
        className={cn(
          'flex justify-between gap-4 whitespace-nowrap md:inline',
          'isSum' in row && row.isSum === true && 'font-semibold',
        )}
      >
        <span aria-hidden="true" className="font-normal text-ink-soft md:hidden">
          {header}
        </span>
        <span>{valueOf(row)}</span>
      </span>
    ),
  };
}
