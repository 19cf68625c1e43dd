import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import type { getWrittenPage } from '#domain/operator/console/texts-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { pagePath } from '#domain/pages.ts';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ConsolePage } from '../parts/console-page.tsx';
import { PageEditor } from './page-editor.tsx';
import { stateText } from './page-state.tsx';
import { WrittenText } from './written-text.tsx';

type WrittenPage = Reply<typeof getWrittenPage>;

/** One page that the operator writes: its text, how readers see it, and its versions. `?version=` shows an older one. */
export default function WrittenPagePage() {
  const { key } = useParams<{ key: string }>();
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const version = params.get('version') ?? undefined;
  /** The text of an older version that the operator goes on with, until the editor has taken it. */
  const [start, setStart] = useState<string>();
  const query = useQuery(
    read(calls.getWrittenPage, { params: { key }, query: version === undefined ? {} : { version } }),
  );
  const { data: page } = query;
  return (
    <ConsolePage
      title={page?.title ?? 'Page'}
      what="the page"
      query={query}
      description={page && stateText(page)}
      actions={
        page &&
        page.publishedVersion !== null && (
          <ButtonLink href={`~${pagePath(page.key)}`} target="_blank" variant="secondary" size="sm">
            Open it
          </ButtonLink>
        )
      }
    >
      {(shown) => (
        <>
          {shown.shown === shown.version ? (
            <Newest key={shown.key} page={shown} start={start} onStarted={() => setStart(undefined)} />
          ) : (
            <Older
              page={shown}
              onUse={() => {
                setStart(shown.text);
                navigate(`/operator/pages/${shown.key}`);
              }}
            />
          )}
          <Versions page={shown} />
        </>
      )}
    </ConsolePage>
  );
}

type NewestProps = { page: WrittenPage; start: string | undefined; onStarted: () => void };

function Newest({ page, start, onStarted }: NewestProps) {
  if (page.save !== null) return <PageEditor page={page} start={start} onStarted={onStarted} />;
  return page.version === 0 ? (
    <EmptyState title="Nobody has written this page yet" />
  ) : (
    <Card>
      <WrittenText {...page.rendered} />
    </Card>
  );
}

function Older({ page, onUse }: { page: WrittenPage; onUse: () => void }) {
  return (
    <>
      <Banner title={`This is version ${page.shown}.`}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link href={`/operator/pages/${page.key}`} className="text-accent underline">
            Show the newest one
          </Link>
          {page.save !== null && (
            <Button variant="secondary" size="sm" onClick={onUse}>
              Write a new version from this text
            </Button>
          )}
        </div>
      </Banner>
      <Card>
        <WrittenText {...page.rendered} />
      </Card>
    </>
  );
}

function Versions({ page: { key, versions, shown } }: { page: WrittenPage }) {
  if (versions.length === 0) return null;
  return (
    <Card padded={false}>
      <CardHeader title="Versions" className="px-inset pt-inset pb-2" />
      <ul aria-label="Versions" className="divide-y divide-line">
        {versions.map(({ version, savedAt, savedBy, publishedAt }) => (
          <li key={version} className="grid gap-0.5 px-inset py-2.5 text-sm">
            <span className="flex flex-wrap items-center gap-2">
              <Link
                href={`/operator/pages/${key}?version=${version}`}
                aria-current={version === shown ? 'true' : undefined}
                className="font-medium text-accent"
              >
                Version {version}
              </Link>
              {publishedAt !== null && <Badge tone="good">Published</Badge>}
            </span>
            <span className="wrap-anywhere text-ink-soft">
              Saved on {formatDateTime(savedAt)}{' '}
              {savedBy === null ? (
                'on the command line'
              ) : (
                <>
                  by <bdi>{savedBy}</bdi>
                </>
              )}
              {publishedAt !== null && `. Published on ${formatDateTime(publishedAt)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
