import { useQuery } from '@tanstack/react-query';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type {
  getMoneyWork,
  ShownDifference,
  ShownWaitingMoney,
} from '#domain/operator/console/money-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { AdLink, MoneyRow, PersonLink, Rows, Section, sumText } from './rows.tsx';

type MoneyWork = Reply<typeof getMoneyWork>;

/** The check of the books, and the money that waits for the provider or for an operator. [BOOK-01] */
export default function MoneyPage() {
  const query = useQuery(read(calls.getMoneyWork));
  return (
    <ConsolePage
      title="Money work"
      what="the money work"
      query={query}
      description="What waits for the card provider or for you."
      actions={query.data && <ActButtons acts={query.data.acts} />}
    >
      {(work) => (
        <>
          <Checks work={work} />
          {work.cancels.length > 0 && <Cancels work={work} />}
          <Waiting
            title="Refunds owed"
            description="Refunds that the card provider hasn’t taken yet. It’s asked again by itself."
            rows={work.refundsOwed}
          />
          <Waiting
            title="In suspense"
            description="Payments that differ from what was agreed, and movements that belong to no sale. Compare each with the provider’s dashboard before you decide. A decision is final."
            rows={work.suspense}
          />
          <Waiting
            title="Stuck"
            description="Payments, events and transfers that failed several times. They’re tried again by themselves."
            rows={work.stuck}
          />
          {isDone(work) && (
            <EmptyState title="Nothing waits">
              No refund is owed, nothing is in suspense, and nothing is stuck.
            </EmptyState>
          )}
          {work.taxIds.length > 0 && <TaxIds taxIds={work.taxIds} />}
        </>
      )}
    </ConsolePage>
  );
}

const isDone = ({ cancels, refundsOwed, suspense, stuck, taxIds }: MoneyWork): boolean =>
  [cancels, refundsOwed, suspense, stuck, taxIds].every(({ length }) => length === 0);

/** The two comparisons: of the books with themselves, and with the card provider. */
function Checks({ work: { disagree, whole, provider } }: { work: MoneyWork }) {
  const found = provider?.differences ?? [];
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card aria-label="The books" className="grid content-start gap-3">
        <CardHeader title="The books" />
        {disagree === null ? (
          <Banner tone="good">Ledger, payments and refunds agree.</Banner>
        ) : (
          <>
            <Banner tone="bad">
              Ledger, payments and refunds disagree. Find out why before the next payout.
            </Banner>
            <Differences label="Differences in the books" differences={disagree} />
          </>
        )}
        {whole.isProblem ? (
          <Banner tone="warn">
            <bdi>{whole.text}</bdi>
          </Banner>
        ) : (
          <p className="text-sm wrap-anywhere text-ink-soft">
            <bdi>{whole.text}</bdi>
          </p>
        )}
      </Card>
      <Card aria-label="The card provider" className="grid content-start gap-3">
        <CardHeader title="The card provider" />
        {provider === null ? (
          <p className="text-sm text-ink-soft">Nothing was sold yet, or the first comparison runs tonight.</p>
        ) : (
          <>
            {found.length === 0 ? (
              <Banner tone="good">The provider and the ledger agree.</Banner>
            ) : (
              <>
                <Banner tone="bad">The provider and the ledger disagree.</Banner>
                <Differences label="Differences with the provider" differences={found} />
              </>
            )}
            <p className="text-sm text-ink-soft">
              Compared {formatDateTime(provider.comparedAt)}. Differences are never corrected automatically.
            </p>
          </>
        )}
      </Card>
    </div>
  );
}

function Differences({ label, differences }: { label: string; differences: readonly ShownDifference[] }) {
  return (
    <ul aria-label={label} className="grid gap-2">
      {differences.map((each) => (
        <li key={`${each.kind} ${each.ref}`}>
          <MoneyRow amount={sumText(each)} title={each.kind}>
            {each.ref}, since {formatDateTime(each.since)}
          </MoneyRow>
        </li>
      ))}
    </ul>
  );
}

function Cancels({ work: { cancels, cancelDays } }: { work: MoneyWork }) {
  return (
    <Section
      title="Cancels that wait for you"
      description={`A campaign of a large sum was canceled within an hour of its payment. It isn’t shown until you decide. If you don’t within ${cancelDays} days, it is refunded by itself. The card provider keeps its fee when you refund. If you refuse, the advertiser reads your reason.`}
    >
      <Rows label="Cancels" items={cancels} empty="" keyOf={({ ad }) => ad.id}>
        {(cancel) => (
          <MoneyRow
            amount={sumText(cancel)}
            title={<AdLink ad={cancel.ad} />}
            badge={<Badge tone="warn">Has waited for {cancel.waited}</Badge>}
            acts={cancel.acts}
            about={cancel.ad.title}
          >
            Canceled {formatDateTime(cancel.since)}
          </MoneyRow>
        )}
      </Rows>
    </Section>
  );
}

type WaitingProps = {
  title: string;
  description: string;
  rows: readonly ShownWaitingMoney[];
};

/** A list of what waits. An empty one is not shown. */
function Waiting({ title, description, rows }: WaitingProps) {
  if (rows.length === 0) return null;
  return (
    <Section title={title} description={description}>
      <Rows label={title} items={rows} empty="" keyOf={({ id }) => id}>
        {(row) => (
          <MoneyRow
            amount={sumText(row)}
            title={row.ad ? <AdLink ad={row.ad} /> : 'No ad'}
            acts={row.acts}
            about={row.ad?.title ?? row.id}
          >
            <bdi>{row.problem}</bdi>, since {formatDateTime(row.since)}.{' '}
            <span className="font-mono text-xs text-ink-faint">{row.id}</span>
          </MoneyRow>
        )}
      </Rows>
    </Section>
  );
}

function TaxIds({ taxIds }: { taxIds: MoneyWork['taxIds'] }) {
  return (
    <Section
      title="Tax numbers"
      description="These numbers were accepted before VIES answered. We ask it again until it answers. If it refuses a number after a sale, ask your adviser whether the sale owes tax."
    >
      <Rows
        label="Tax numbers"
        items={taxIds}
        empty=""
        keyOf={({ userId, taxId, since }) => `${userId} ${taxId} ${since}`}
      >
        {({ userId, email, taxId, result, isByStandIn, requestId, since, ads }) => (
          <MoneyRow
            amount={taxId}
            badge={<Badge tone={result === 'refused' ? 'bad' : 'warn'}>{result.replaceAll('_', ' ')}</Badge>}
          >
            <PersonLink userId={userId} name={email} />, since {formatDateTime(since)}
            {isByStandIn && ', by the local stand-in'}
            {requestId !== null && `, request ${requestId}`}
            {ads.map((ad) => (
              <span key={ad.id}>
                , ad <AdLink ad={ad} />
              </span>
            ))}
          </MoneyRow>
        )}
      </Rows>
    </Section>
  );
}
