import type { WaitingThing } from '#domain/operator/console/today-contract.ts';
import { Card } from '#web/ui/card.tsx';
import { formatAgo } from '#web/ui/format/ago.ts';
import { useNow } from '#web/ui/use-now.ts';
import { QueueRow } from '../parts/queue-row.tsx';
import { useRowKeys } from '../parts/row-keys.ts';

/** The oldest things of all queues, each with what an operator can do about it. */
export function WaitingList({ things }: { things: readonly WaitingThing[] }) {
  const keys = useRowKeys(things.length);
  const now = useNow();
  return (
    <Card padded={false}>
      <ul {...keys} aria-label="Waiting for you" className="divide-y divide-line">
        {things.map(({ key, kind, title, text, since, path, picture, acts }) => (
          <li key={key} className="px-inset py-4">
            <QueueRow title={title} path={path} picture={picture} acts={acts}>
              <p className="line-clamp-3 text-sm wrap-anywhere text-ink-soft">
                <bdi>{text}</bdi>
              </p>
              <p className="text-xs text-ink-faint">
                {kind}, {formatAgo(since, now)}
              </p>
            </QueueRow>
          </li>
        ))}
      </ul>
    </Card>
  );
}
