import { calls } from '#domain/calls.ts';
import { actWords } from '#domain/operator/acts.ts';
import type { OwnAct } from '#domain/operator/contract.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function useOwnActs() {
  return usePagedList(calls.listOwnActs, {});
}

/** Lists the acts of operators that concern the user, with the reasons. [OPER-04] */
export function OperatorDecisions() {
  const { items, hasMore, loadMore, isLoadingMore, isError, retry } = useOwnActs();
  return (
    <Card>
      <CardHeader
        title="Decisions by the operator"
        description={
          items?.length === 0
            ? 'The marketplace operator has made no decision about you, your websites or your ads.'
            : 'Everything the marketplace operator did about you, your websites and your ads, and why.'
        }
      />
      {isError ? (
        <LoadError what="the decisions" onRetry={retry} />
      ) : items ? (
        items.length > 0 && (
          <ul aria-label="Decisions by the operator" className="mt-4 divide-y divide-line">
            {items.map((act) => (
              <Decision key={act.id} act={act} />
            ))}
          </ul>
        )
      ) : (
        <Skeleton className="mt-5 h-16" />
      )}
      {hasMore && (
        <Button variant="secondary" className="mt-4" busy={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Card>
  );
}

const APPEALS: Record<OwnAct['appeal'], string | null> = {
  possible: 'You can answer this decision once.',
  waiting: 'You answered. The operator decides again.',
  upheld: 'You answered. The decision stands.',
  reversed: 'You answered. The decision was reversed.',
  closed: null,
};

function Decision({ act }: { act: OwnAct }) {
  const { id, actedAt, reason, appeal } = act;
  return (
    <li className="grid gap-1 py-4 text-sm last:pb-0">
      <p className="text-base font-medium wrap-anywhere" dir="auto">
        {actWords(act, true)}
      </p>
      <p className="wrap-anywhere text-ink-soft" dir="auto">
        {reason}
      </p>
      <p className="text-ink-faint">
        {formatDateTime(actedAt)}
        {APPEALS[appeal] && ` · ${APPEALS[appeal]}`}
      </p>
      {APPEALS[appeal] && (
        // A page that the server renders, so this is no link of the application's router.
        <a
          href={`/decision/${id}`}
          className="inline-flex min-h-11 items-center justify-self-start font-medium text-accent underline underline-offset-4"
        >
          {appeal === 'possible' ? 'Read or answer the decision' : 'Read the decision'}
        </a>
      )}
    </li>
  );
}
