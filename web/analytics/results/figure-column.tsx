import type { ReactNode } from 'react';
import { cn } from '#web/ui/cn.ts';
import type { Column } from '#web/ui/table.tsx';

/** `isSum` marks a row with the figures of those below it. */
export type FigureRow = { isSum: boolean };

/** A card on a phone has no header row, so each of its figures has its name before it. */
export function figureColumn<Row extends FigureRow>(
  header: string,
  valueOf: (row: Row) => string,
): Column<Row> {
  return {
    header,
    align: 'right',
    cell: (row): ReactNode => (
      <span
        className={cn('flex justify-between gap-4 whitespace-nowrap md:inline', row.isSum && 'font-semibold')}
      >
        <span aria-hidden="true" className="font-normal text-ink-soft md:hidden">
          {header}
        </span>
        {valueOf(row)}
      </span>
    ),
  };
}

/** The first column: the name of a row, below that of its sum. */
export function nameColumn<Row extends FigureRow & { name: string }>(header: string): Column<Row> {
  return {
    header,
    className: 'md:min-w-40',
    cell: ({ name, isSum }) => (
      <span className={cn('wrap-anywhere', isSum ? 'font-semibold' : 'md:pl-4')}>
        <bdi>{name}</bdi>
      </span>
    ),
  };
}
