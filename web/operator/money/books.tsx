import { useQuery } from '@tanstack/react-query';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getOperatorBooks } from '#domain/operator/console/books-contract.ts';
import { countryName } from '#domain/countries.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDate, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { type Column, Table } from '#web/ui/table.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { AdLink, MoneyRow, PersonLink, Rows, Section, sumText } from './rows.tsx';
import { EVIDENCE_TEXTS, HOLD_WORDS, STAGE_WORDS } from './words.ts';

type Books = Reply<typeof getOperatorBooks>;

/** Owed amounts, what covers them, tax, debts, disputes and holds. [BOOK-10] */
export default function BooksPage() {
  const query = useQuery(read(calls.getOperatorBooks));
  return (
    <ConsolePage
      title="Books"
      what="the books"
      query={query}
      description="What you owe to others, the money that covers it, and what is yours."
    >
      {(books) => (
        <>
          <Yours books={books} />
          <OwedAndCovered books={books} />
          {books.taxOwed.length > 0 && <TaxOwed taxes={books.taxOwed} />}
          <Disputes disputes={books.disputes} />
          <Holds holds={books.holds} />
          {books.debtors.length > 0 && <Debtors debtors={books.debtors} />}
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Ageing ageing={books.ageing} />
            {books.creditors.length > 0 && <Creditors creditors={books.creditors} />}
          </div>
        </>
      )}
    </ConsolePage>
  );
}

/** The one figure that a business asks for first: what may be taken out. */
function Yours({ books: { yours, waived } }: { books: Books }) {
  const isMissing = yours.startsWith('-');
  return isMissing ? (
    <Banner tone="bad" title={`${formatMoney(yours.slice(1))} of the owed amounts is not covered`}>
      Fees and lost disputes are yours to cover. Add that much to the balance at the card provider.
    </Banner>
  ) : (
    <Card aria-label="Yours now" className="grid gap-1">
      <p className="text-2xl font-semibold tracking-tight">
        Yours now: <span className="figures">{formatMoney(yours)}</span>
      </p>
      <p className="text-sm text-ink-soft">
        All owed amounts are covered. This is what is covered less what is owed.
        {Number(waived) > 0 &&
          ` It has ${formatMoney(waived)} that publishers gave up when they deleted their accounts.`}
      </p>
    </Card>
  );
}

const OWED: readonly [keyof Books['owed'], string][] = [
  ['publishers', 'To publishers, earned'],
  ['refunds', 'To advertisers, refunds'],
  ['deferred', 'Not delivered yet'],
  ['suspense', 'In suspense'],
  ['tax', 'Tax, less what you may deduct'],
];
const COVERED: readonly [keyof Books['covered'], string][] = [
  ['providerBalance', 'Balance at the card provider'],
  ['providerClearing', 'Charges whose fee is not known yet'],
  ['bank', 'Moved to your bank'],
  ['disputed', 'Taken by open disputes'],
  ['publishersOwe', 'Owed by publishers, without doubtful debts'],
  ['unearnedCommission', 'Your own commission of what is not delivered yet'],
];

function OwedAndCovered({ books: { owed, covered } }: { books: Books }) {
  return (
    <div className="grid items-stretch gap-6 lg:grid-cols-2">
      <SumCard
        title="Owed"
        parts={OWED.map(([name, label]) => [label, owed[name]])}
        total={['Total owed', owed.total]}
      />
      <SumCard
        title="Covered by"
        parts={COVERED.map(([name, label]) => [label, covered[name]])}
        total={['Total covered', covered.total]}
      />
    </div>
  );
}

type SumCardProps = {
  title: string;
  parts: readonly (readonly [label: string, amount: string])[];
  /** The sum of the parts. */
  total: readonly [label: string, amount: string];
};

function SumCard({ title, parts, total: [label, total] }: SumCardProps) {
  return (
    <Card aria-label={title} className="flex flex-col gap-3">
      <CardHeader title={title} className="flex-none" />
      <dl className="flex flex-1 flex-col text-sm [&>div:nth-last-child(2)]:pb-3.5">
        {parts.map(([name, amount]) => (
          <div key={name} className="flex items-baseline justify-between gap-6 py-1.5">
            <dt className="min-w-0 text-ink-soft">{name}</dt>
            <dd className="figures">{formatMoney(amount)}</dd>
          </div>
        ))}
        <div className="mt-auto flex items-baseline justify-between gap-6 border-t border-line pt-3 font-semibold">
          <dt>{label}</dt>
          <dd className="figures">{formatMoney(total)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function TaxOwed({ taxes }: { taxes: Books['taxOwed'] }) {
  return (
    <Section
      title="Tax owed"
      description="The tax of sales, less the tax of publishers’ self-billing documents. When you have paid tax to a state from your bank account, book it here. An amount below zero is what the state owes you: book it when the state has paid it."
    >
      <Rows label="Tax owed" items={taxes} empty="" keyOf={({ country, rate }) => `${country} ${rate}`}>
        {({ country, rate, amount, output, input, acts }) => (
          <MoneyRow
            amount={formatMoney(amount)}
            title={`${countryName(country)}, ${rate}%`}
            acts={acts}
            about={`${countryName(country)}, ${rate}%`}
            {...(Number(input) !== 0 && {
              children: `Output tax ${formatMoney(output)}, input tax ${formatMoney(input)}`,
            })}
          />
        )}
      </Rows>
    </Section>
  );
}

function Disputes({ disputes }: { disputes: Books['disputes'] }) {
  return (
    <Section
      title="Disputes"
      description="We send the evidence automatically one day before it is due. A bank accepts it once."
    >
      <Rows label="Disputes" items={disputes} empty="No dispute is open." keyOf={({ id }) => id}>
        {(dispute) => (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <div className="min-w-0 flex-1 basis-72">
              <MoneyRow
                amount={sumText(dispute)}
                title={STAGE_WORDS[dispute.stage]}
                badge={dispute.dueAt && <Badge tone="warn">Answer by {formatDateTime(dispute.dueAt)}</Badge>}
              >
                <AdLink ad={dispute.ad} />, since {formatDateTime(dispute.openedAt)}. The provider says:{' '}
                {dispute.status}
                {dispute.reason !== '' && (
                  <>
                    , <bdi>{dispute.reason}</bdi>
                  </>
                )}
                . <span className="font-mono text-xs text-ink-faint">{dispute.id}</span>
                <br />
                <span>{EVIDENCE_TEXTS[dispute.evidence]}.</span>
                {dispute.evidenceError !== null && (
                  <span>
                    {' '}
                    Last try: <bdi>{dispute.evidenceError}</bdi>
                  </span>
                )}
              </MoneyRow>
            </div>
            {dispute.isAnswerable && (
              <ButtonLink
                href={`/operator/evidence/${dispute.id}`}
                variant="secondary"
                size="sm"
                aria-label={`Read the evidence: ${dispute.ad.title}`}
              >
                Read the evidence
              </ButtonLink>
            )}
          </div>
        )}
      </Rows>
    </Section>
  );
}

function Holds({ holds }: { holds: Books['holds'] }) {
  return (
    <Section
      title="On hold"
      description="Earnings that are not paid out. You can hold more on the page of a publisher or an ad."
    >
      <Rows label="Holds" items={holds} empty="No earnings are on hold." keyOf={({ id }) => id}>
        {(hold) => (
          <MoneyRow
            amount={formatMoney(hold.amount)}
            title={HOLD_WORDS[hold.reason]}
            acts={hold.acts}
            about={hold.ad?.title ?? hold.email ?? 'Deleted account'}
          >
            <PersonLink userId={hold.userId} name={hold.email} />,{' '}
            {hold.ad === null ? 'all ads' : <AdLink ad={hold.ad} />}, since {formatDateTime(hold.since)}
            {hold.until !== null && `, until ${formatDateTime(hold.until)} or later`}
          </MoneyRow>
        )}
      </Rows>
    </Section>
  );
}

function Debtors({ debtors }: { debtors: Books['debtors'] }) {
  return (
    <Section
      title="Owed by publishers"
      description="A bank took back what was paid out. Later earnings settle a debt. It is doubtful, and covers nothing, while its account is deleted or suspended, and after 90 days without a change."
    >
      <Rows label="Owed by publishers" items={debtors} empty="" keyOf={({ userId }) => userId}>
        {({ userId, name, email, amount, changedAt, isDoubtful, acts }) => (
          <MoneyRow
            amount={formatMoney(amount)}
            title={<PersonLink userId={userId} name={name} />}
            badge={isDoubtful && <Badge tone="warn">Doubtful</Badge>}
            acts={acts}
            about={name}
          >
            {email !== null && `${email}, `}last changed {formatDate(changedAt)}
          </MoneyRow>
        )}
      </Rows>
    </Section>
  );
}

function Ageing({ ageing }: { ageing: Books['ageing'] }) {
  return (
    <Card padded={false} aria-label="Age of owed amounts">
      <CardHeader title="Age of owed amounts" className="px-inset py-4" />
      <Table
        label="Age of owed amounts"
        rows={ageing}
        rowKey={({ days }) => days}
        columns={[
          { header: 'Days', cell: ({ days }) => days.replace('-', '–') },
          { header: 'To publishers', align: 'right', cell: ({ publishers }) => formatMoney(publishers) },
          { header: 'Refunds', align: 'right', cell: ({ refunds }) => formatMoney(refunds) },
        ]}
      />
    </Card>
  );
}

const CREDITOR_COLUMNS: readonly Column<Books['creditors'][number]>[] = [
  {
    header: 'Publisher',
    className: 'wrap-anywhere',
    cell: ({ userId, email }) => <PersonLink userId={userId} name={email} />,
  },
  { header: 'Owed', align: 'right', cell: ({ amount }) => formatMoney(amount) },
];

function Creditors({ creditors }: { creditors: Books['creditors'] }) {
  return (
    <Card padded={false} aria-label="Largest amounts owed to publishers">
      <CardHeader title="Largest amounts owed to publishers" className="px-inset py-4" />
      <Table
        label="Largest amounts owed to publishers"
        rows={creditors}
        rowKey={({ userId }) => userId}
        columns={CREDITOR_COLUMNS}
      />
    </Card>
  );
}
