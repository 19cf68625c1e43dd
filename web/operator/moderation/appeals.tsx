import { calls } from '#domain/operator/console/calls.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { PagedPage } from '../parts/paged-page.tsx';
import { QueueRow } from '../parts/queue-row.tsx';

/** The answers to decisions that wait. [OPER-10] */
export default function AppealsPage() {
  return (
    <PagedPage
      title="Answers to decisions"
      what="the answers"
      call={calls.listAppeals}
      input={{}}
      description="People can answer a decision about them once. You decide whether it stands."
      empty="No answers wait for you"
      emptyNote="You get an e-mail when somebody answers a suspension, a take-down or a refusal."
      keyOf={({ id }) => id}
    >
      {({ id, decision, reason, answer, answeredAt, acts }) => (
        <QueueRow title={decision} path={`/operator/appeals/${id}`} acts={acts}>
          <p className="text-sm wrap-anywhere text-ink-soft">
            <span>You wrote: </span>
            <bdi>{reason}</bdi>
          </p>
          <p className="line-clamp-3 text-sm wrap-anywhere">
            <span>They answered: </span>
            <bdi>{answer}</bdi>
          </p>
          <p className="text-xs text-ink-faint">{formatDateTime(answeredAt)}</p>
        </QueueRow>
      )}
    </PagedPage>
  );
}
