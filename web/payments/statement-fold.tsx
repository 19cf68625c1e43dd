import { useQuery } from '@tanstack/react-query';
import { Download, FileText, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { calls } from '#domain/calls.ts';
import { counted } from '#domain/format.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { monthText, STATEMENT_BALANCES } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type StatementProps = {
  /** YYYY-MM, in UTC. */
  month: string;
  side: LedgerSide;
};

/** The balances and the files of one month's statement, which is read when it is opened. [STMT-01] */
export function StatementFold({ month, side }: StatementProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="text-sm">
      <summary className="w-fit cursor-pointer rounded-tight py-1 text-ink-soft hover:text-ink">
        Statement<span className="sr-only"> of {monthText(month)}</span>
      </summary>
      {isOpen && <StatementOfMonth month={month} side={side} />}
    </details>
  );
}

function StatementOfMonth({ month, side }: StatementProps) {
  const { data, isError, refetch } = useQuery(
    read(calls.getStatement, { params: { month }, query: { side } }),
  );
  if (isError) return <LoadError what="your statement" onRetry={refetch} />;
  if (!data) return <Skeleton className="mt-2 h-36" />;
  const names = STATEMENT_BALANCES[data.side];
  return (
    <section aria-label={`Statement of ${monthText(month)}`} className="grid gap-3 pt-2 pb-1">
      <dl className="divide-y divide-line border-y border-line">
        <Figure label={names.start} amount={data.opening} />
        <Figure label={changesOf(data)} amount={changeOf(data)} />
        <Figure label={names.end} amount={data.closing}>
          {!data.final && <Badge>So far</Badge>}
        </Figure>
      </dl>
      <div className="flex flex-wrap gap-2">
        <ButtonOutLink href={`/api/statements/${month}.csv?side=${side}`} variant="secondary" size="sm">
          <Download aria-hidden="true" />
          Download CSV
        </ButtonOutLink>
        {data.document !== null && (
          <ButtonOutLink href={`/api/documents/${data.document}.pdf`} variant="secondary" size="sm">
            <FileText aria-hidden="true" />
            Download PDF
          </ButtonOutLink>
        )}
        <ButtonOutLink href={`/verify-ledger?month=${month}&side=${side}`} variant="quiet" size="sm">
          <ShieldCheck aria-hidden="true" />
          Check this statement
        </ButtonOutLink>
      </div>
    </section>
  );
}

function Figure({ label, amount, children }: { label: string; amount: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <dt className="flex items-center gap-2 text-ink-soft">
        {label} {children}
      </dt>
      <dd className="figures font-medium">{formatMoney(amount)}</dd>
    </div>
  );
}

const changesOf = ({ lines, next }: Statement): string =>
  next === null ? `Change in ${counted(lines.length, 'line')}` : 'Change';

const changeOf = ({ opening, closing }: Statement): string => decimalOf(centsOf(closing) - centsOf(opening));
