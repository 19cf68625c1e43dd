import { useQuery } from '@tanstack/react-query';
import { counted } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getAnnouncement } from '#domain/operator/console/texts-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButton, ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';

/** What every page says above its content. */
export default function AnnouncementPage() {
  const query = useQuery(read(calls.getAnnouncement));
  return (
    <ConsolePage
      title="Announcement"
      what="the announcement"
      query={query}
      description="Every page shows it above its content, to visitors and signed-in people. There is one at a time."
    >
      {({ present, acts }) =>
        present === null ? (
          <EmptyState
            title="There is no announcement"
            {...(acts.length > 0 && {
              action: acts.map((act) => <ActButton key={act.path} act={act} variant="primary" />),
            })}
          >
            Announce a maintenance, a late payout or a change of your terms.
          </EmptyState>
        ) : (
          <Present present={present} acts={acts} />
        )
      }
    </ConsolePage>
  );
}

type Announcement = Reply<typeof getAnnouncement>;
type PresentProps = { present: NonNullable<Announcement['present']>; acts: Announcement['acts'] };

function Present({ present: { text, until, mailed, acts: ownActs }, acts }: PresentProps) {
  return (
    <Card className="grid gap-4">
      <CardHeader title="Now" />
      <p dir="auto" className="rounded-card bg-accent-soft px-4 py-3 wrap-anywhere">
        {text}
      </p>
      <p className="text-sm text-ink-soft">
        {until === null ? 'Until you end it.' : `Until ${formatDateTime(until)}.`}
        {mailed !== null && ` Mailed to ${counted(mailed, 'account')} so far.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <ActButtons acts={ownActs} />
        <ActButtons acts={acts} />
      </div>
    </Card>
  );
}
