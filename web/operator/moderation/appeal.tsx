import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButton } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

/** One answer to a decision, and the decision about it. [OPER-10] */
export default function AppealPage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getAppeal, { params: { id } }));
  return (
    <ConsolePage title="Answer to a decision" what="the answer" query={query}>
      {({ decision, decidedAt, reason, answer, answeredAt, outcome, outcomeReason, about, acts }) => (
        <Card className="grid gap-5">
          <dl className="grid gap-4">
            <Part name="Decision" at={decidedAt}>
              {decision}
            </Part>
            <Part name="Reason">{reason}</Part>
            <Part name="Answer" at={answeredAt}>
              {answer}
            </Part>
            {outcome !== null && (
              <Part
                name={
                  <Badge tone={outcome === 'upheld' ? 'neutral' : 'good'}>
                    {outcome === 'upheld' ? 'Upheld' : 'Reversed'}
                  </Badge>
                }
              >
                {outcomeReason ?? ''}
              </Part>
            )}
          </dl>
          <div className="flex flex-wrap gap-2">
            {acts.map((act) => (
              <ActButton key={act.path} act={act} variant="primary" />
            ))}
            {about && (
              <ButtonLink href={about.path} variant="secondary" size="sm">
                {about.label}
              </ButtonLink>
            )}
          </div>
        </Card>
      )}
    </ConsolePage>
  );
}

function Part({ name, at, children }: { name: ReactNode; at?: string; children: string }) {
  return (
    <div className="grid gap-1">
      <dt className="flex flex-wrap gap-x-2 text-xs text-ink-faint">
        <span>{name}</span>
        {at !== undefined && <span>{formatDateTime(at)}</span>}
      </dt>
      <dd className="text-sm wrap-anywhere whitespace-pre-line">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
