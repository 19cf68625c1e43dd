import type { ReactNode } from 'react';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import { ActButtons } from '../parts/act-button.tsx';

type RowProps = { acts: readonly OfferedAct[]; about: string; children: ReactNode };

/** A thing in a list, with its acts at the right, or below on a narrow screen. */
export function RowWithActs({ acts, about, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">{children}</div>
      <ActButtons acts={acts} about={about} />
    </div>
  );
}
