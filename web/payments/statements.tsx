import { counted } from '#domain/format.ts';
import { useQuery } from '@tanstack/react-query';
import { Download, FileText, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { calls } from '#domain/calls.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { monthText, STATEMENT_BALANCES } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const MONTHS = 12;

/** The balances and the files of one month's statement. [STMT-01] */
export function Statements({ side }: { side: LedgerSide }) {
  const [months] = useState(() => monthsUpTo(new Date()));
  const [month, setMonth] = useState(months[0]?.value ?? '');
  const { data, isError, refetch } = useQuery(
    read(calls.getStatement, { params: { month }, query: { side } }),
  );
  const file = `/api/statements/${month}.csv?side=${side}`;
  return (
    <Card aria-label="Statements">
      <CardHeader
        title="Statements"
        description="Every amount of a month. Each line has a proof, so that you can detect a later change."
      />
      <div className="mt-4 grid gap-4">
        <Field label="Month" className="max-w-60">
          <Select options={months} value={month} onChange={(event) => setMonth(event.target.value)} />
        </Field>
        <Balances {...{ data, isError, refetch }} />
        <div className="flex flex-wrap gap-2">
          <ButtonOutLink href={file} variant="secondary" size="sm">
            <Download aria-hidden="true" />
            Download CSV
          </ButtonOutLink>
          {data && data.document !== null && (
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
      </div>
    </Card>
  );
}

function Balances({
  data,
  isError,
  refetch,
}: {
  data: Statement | undefined;
  isError: boolean;
  refetch: () => unknown;
}) {
  if (isError) return <LoadError what="your statement" onRetry={refetch} />;
  if (!data) return <Skeleton className="h-24" />;
  const names = STATEMENT_BALANCES[data.side];
  return (
    <dl className="divide-y divide-line border-y border-line text-sm">
      <Figure label={names.start} amount={data.opening} />
      <Figure label={changesOf(data)} amount={changeOf(data)} />
      <Figure label={names.end} amount={data.closing}>
        {!data.final && <Badge>So far</Badge>}
      </Figure>
    </dl>
  );
}

function Figure({ label, amount, children }: { label: string; amount: string; children?: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
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

/** The last months in UTC, the newest first. */
function monthsUpTo(now: Date): { value: string; label: string }[] {
  return Array.from({ length: MONTHS }, (_none, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    const value = first.toISOString().slice(0, 7);
    return { value, label: monthText(value) };
  });
}
