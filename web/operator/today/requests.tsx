import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import type { listOperatorRequests } from '#domain/operator/console/requests-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { read } from '#web/http/query.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

/** What one operator has asked another to confirm. [OPER-22] */
export default function RequestsPage() {
  const query = useQuery(read(calls.listOperatorRequests));
  return (
    <ConsolePage
      title="Requests"
      what="the requests"
      query={query}
      description={
        query.data &&
        `Some acts need a second operator: changes to operators and their roles, and refunds of more than ${formatMoney(query.data.refundLimit)} for one ad. A request expires after seven days.`
      }
    >
      {({ requests }) =>
        requests.length === 0 ? (
          <EmptyState title="No request waits">
            When another operator asks for your confirmation, the request appears here.
          </EmptyState>
        ) : (
          <ul aria-label="Requests" className="grid gap-3">
            {requests.map((request) => (
              <RequestRow key={request.id} request={request} />
            ))}
          </ul>
        )
      }
    </ConsolePage>
  );
}

type Request = Reply<typeof listOperatorRequests>['requests'][number];

function RequestRow({ request }: { request: Request }) {
  const { words, reason, askedBy, requestedAt, expiresAt, isOwn, acts } = request;
  return (
    <li>
      <Card className="grid gap-3">
        <div className="grid gap-1">
          <p className="font-medium wrap-anywhere">
            <bdi>{words}</bdi>
          </p>
          <p className="text-sm wrap-anywhere text-ink-soft">
            <bdi>{reason}</bdi>
          </p>
          <p className="text-sm text-ink-faint">
            By {askedBy ?? 'a deleted account'}, {formatDateTime(requestedAt)}. Expires{' '}
            {formatDateTime(expiresAt)}.
          </p>
        </div>
        {isOwn && (
          <p className="text-sm text-ink-soft">You asked for this. Another operator has to confirm it.</p>
        )}
        <ActButtons acts={acts} about={words} />
      </Card>
    </li>
  );
}
