import { cn } from '#web/ui/cn.ts';
import type { Column } from '#web/ui/table.tsx';

/** `isSum` marks a row with the figures of those below it. */
export type FigureRow = { isSum: boolean };

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
