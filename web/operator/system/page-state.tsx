import type { WrittenPageState } from '#domain/operator/console/texts-contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatDate } from '#web/ui/format/format.ts';

type State = Omit<WrittenPageState, 'key' | 'title'>;

/** 'Version 2 is published since May 1, 2027. Version 3 was saved on May 4, 2027.' */
export function stateText({ version, savedAt, publishedVersion, publishedAt }: State): string {
  const published =
    publishedVersion === null
      ? 'Not published'
      : `Version ${publishedVersion} is published since ${formatDate(publishedAt)}`;
  if (version === 0) return 'No text yet.';
  if (version === publishedVersion) return `${published}.`;
  return `${published}. Version ${version} was saved on ${formatDate(savedAt)}.`;
}

export function StateBadge({ page: { version, publishedVersion } }: { page: State }) {
  if (publishedVersion === null)
    return <Badge tone={version === 0 ? 'outline' : 'warn'}>Not published</Badge>;
  return version === publishedVersion ? (
    <Badge tone="good">Published</Badge>
  ) : (
    <Badge tone="warn">Newer text waits</Badge>
  );
}
