import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import type { listOperators } from '#domain/operator/console/operators-contract.ts';
import { ROLE_WORDS } from '#domain/operator/rights.ts';
import type { Reply } from '#domain/endpoint.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { useOperator } from '../parts/operator.ts';
import { RowWithActs } from './row-with-acts.tsx';

type Operators = Reply<typeof listOperators>;

/** The people who run the marketplace, and those who are invited. */
export default function OperatorsPage() {
  const query = useQuery(read(calls.listOperators));
  return (
    <ConsolePage
      title="Operators"
      what="the operators"
      query={query}
      actions={query.data && <ActButtons acts={query.data.acts} />}
      description="Who can open the console, and what they may do there. With two owners or more, one asks and another confirms a change."
    >
      {({ operators, invitations }) => (
        <>
          <Card padded={false}>
            <ul aria-label="Operators" className="divide-y divide-line">
              {operators.map((operator) => (
                <OperatorRow key={operator.id} {...operator} />
              ))}
            </ul>
          </Card>
          {invitations.length > 0 && <Invited invitations={invitations} />}
        </>
      )}
    </ConsolePage>
  );
}

function OperatorRow({ id, email, role, addedAt, isLastOwner, acts }: Operators['operators'][number]) {
  const { id: ownId } = useOperator();
  return (
    <li className="px-inset py-4">
      <RowWithActs acts={acts} about={email}>
        <span className="flex flex-wrap items-center gap-2">
          <Link href={`/operator/people/${id}`} className="font-medium wrap-anywhere text-accent">
            <bdi>{email}</bdi>
          </Link>
          {id === ownId && <Badge tone="outline">You</Badge>}
        </span>
        <p className="text-sm text-ink-soft">
          {ROLE_WORDS[role]}. Since {formatDateTime(addedAt)}.
        </p>
        {isLastOwner && (
          <p className="text-sm text-ink-faint">
            The last owner stays one. To change that, make another operator an owner first.
          </p>
        )}
      </RowWithActs>
    </li>
  );
}

function Invited({ invitations }: Pick<Operators, 'invitations'>) {
  return (
    <Card padded={false}>
      <CardHeader title="Invited" className="px-inset pt-inset pb-2" />
      <ul aria-label="Invited" className="divide-y divide-line">
        {invitations.map(({ id, email, role, expiresAt, acts }) => (
          <li key={id} className="px-inset py-4">
            <RowWithActs acts={acts} about={email}>
              <span className="font-medium wrap-anywhere">
                <bdi>{email}</bdi>
              </span>
              <p className="text-sm text-ink-soft">
                {ROLE_WORDS[role]}. The link works until {formatDateTime(expiresAt)}.
              </p>
            </RowWithActs>
          </li>
        ))}
      </ul>
    </Card>
  );
}
