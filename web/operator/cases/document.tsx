import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getIssuedDocument } from '#domain/operator/console/documents-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink, ButtonOutLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { figureColumn } from '#web/ui/figure-column.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

type Document = Reply<typeof getIssuedDocument>;

/** A document of record. [BOOK-204] */
export default function DocumentPage() {
  const { number } = useParams<{ number: string }>();
  const query = useQuery(read(calls.getIssuedDocument, { params: { number } }));
  return (
    <ConsolePage
      title={query.data?.title ?? `Document ${number}`}
      what="the document"
      query={query}
      description="Each reading is in the audit trail."
      actions={query.data && <Files document={query.data} />}
    >
      {(document) => <Sheet document={document} />}
    </ConsolePage>
  );
}

function Files({ document: { pdf, xml, personId } }: { document: Document }) {
  return (
    <>
      <ButtonLink href={`/operator/people/${personId}`} variant="quiet" size="sm">
        Open the account
      </ButtonLink>
      {xml !== null && (
        <ButtonOutLink href={xml} variant="secondary" size="sm">
          Download e-invoice (UBL)
        </ButtonOutLink>
      )}
      <ButtonOutLink href={pdf} variant="secondary" size="sm">
        Download PDF
      </ButtonOutLink>
    </>
  );
}

function Sheet({ document }: { document: Document }) {
  const { label, facts, parties, rows, noRows, notes } = document;
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {label !== null && <Banner tone="warn">{label}</Banner>}
      <dl className="flex flex-wrap gap-x-10 gap-y-3 text-sm">
        {facts.map(({ name, value }) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs wrap-anywhere text-ink-faint">
              <bdi>{name}</bdi>
            </dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-6 sm:grid-cols-2">
        {parties.map(({ role, name, lines }) => (
          <section key={role} className="min-w-0 text-sm wrap-anywhere">
            <h2 className="text-xs text-ink-faint">{role}</h2>
            <p className="font-medium" dir="auto">
              {name}
            </p>
            {lines.map((line) => (
              <p key={line} dir="auto">
                {line}
              </p>
            ))}
          </section>
        ))}
      </div>
      {rows.length === 0 ? <p className="text-sm">{noRows}</p> : <Lines document={document} />}
      <Totals document={document} />
      {notes.length > 0 && (
        <div className="grid gap-1 text-sm text-ink-soft">
          {notes.map((note) => (
            <p key={note} className="wrap-anywhere">
              {note}
            </p>
          ))}
        </div>
      )}
    </Card>
  );
}

type Line = Document['rows'][number] & { at: number };

/** The first column says what, with its detail, and the others are figures. */
const columnsOf = ([first = '', ...figures]: readonly string[]): Column<Line>[] => [
  {
    header: first,
    cell: ({ cells, detail }) => [
      <bdi key="what" className="wrap-anywhere">
        {cells[0]}
      </bdi>,
      detail !== null && (
        <bdi key="detail" className="block text-xs wrap-anywhere text-ink-soft">
          {detail}
        </bdi>
      ),
    ],
  },
  ...figures.map((header, place) => figureColumn<Line>(header, ({ cells }) => cells[place + 1] ?? '')),
];

function Lines({ document: { columns, rows, title } }: { document: Document }) {
  return (
    <div className="-mx-inset">
      <Table
        label={`Lines of ${title}`}
        cards
        rows={rows.map((row, at) => ({ ...row, at }))}
        rowKey={({ at }) => at}
        columns={columnsOf(columns)}
      />
    </div>
  );
}

function Totals({ document: { totals } }: { document: Document }) {
  return (
    <dl className="grid w-full max-w-sm gap-1 justify-self-end text-sm">
      {totals.map(({ name, amount, isMain }) => (
        <div
          key={name}
          className={
            isMain
              ? 'flex justify-between gap-4 border-t border-line-strong pt-2 text-base font-semibold'
              : 'flex justify-between gap-4 text-ink-soft'
          }
        >
          <dt className="min-w-0 wrap-anywhere">
            <bdi>{name}</bdi>
          </dt>
          <dd className="figures whitespace-nowrap">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
