import type { ReactNode } from 'react';
import { cn } from './cn.ts';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the right, one below the other. */
  align?: 'left' | 'right';
  className?: string;
};

type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
};

/**
 * A real table from 768 px on; below that each row becomes a card whose cells carry their column's name, so that
 * nothing runs over the side of a phone.
 */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  return (
    <div className="min-w-0 md:overflow-x-auto">
      {/* The roles are said again, because `display: block` on a narrow screen takes them away. */}
      <table role="table" aria-label={label} className="block w-full text-left text-sm md:table">
        <thead role="rowgroup" className="hidden md:table-header-group">
          <tr role="row" className="border-b border-line text-xs text-ink-faint">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                className={cn(
                  'px-4 py-2.5 font-medium first:pl-6 last:pr-6',
                  column.align === 'right' && 'text-right',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line md:table-row-group">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className="block px-5 py-3 md:table-row md:p-0">
              {columns.map((column) => (
                <td
                  key={column.header}
                  role="cell"
                  className={cn(
                    'flex items-start justify-between gap-4 py-1 max-md:text-right md:table-cell md:px-4 md:py-3 md:align-top md:first:pl-6 md:last:pr-6',
                    column.align === 'right' && 'figures md:text-right',
                    column.className,
                  )}
                >
                  <span aria-hidden="true" className="shrink-0 text-left text-ink-faint md:hidden">
                    {column.header}
                  </span>
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
