import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { CaseEvent } from '#domain/operator/console/cases-contract.ts';
import { RequestError } from '#web/http/request-error.ts';
import NotFoundPage from '#web/pages/not-found.tsx';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { ActMenu } from '../parts/act-button.tsx';
import { Timeline } from './timeline.tsx';
import { useConsoleTitle } from '../parts/console-title.ts';

/** The members that case files of all kinds share. */
type CommonFile = {
  id: number;
  publicId: string | null;
  name: string;
  status: string;
  suspension: { since: string; reason: string } | null;
  timeline: readonly CaseEvent[];
  acts: readonly OfferedAct[];
};

export type CaseTab = { value: string; label: string; content: ReactNode };

/** How a file of one kind is shown. */
export type CaseParts = {
  /** 'Account' */
  kind: string;
  picture: ReactNode;
  /** Below the name: the full name of a person, or the address of a website. */
  about?: ReactNode;
  /** The state of the thing itself, in words. Left out while the thing is suspended. */
  state: { words: string; tone: Tone };
  badges?: readonly { words: string; tone: Tone }[];
  links: ReactNode;
  /** Above everything else, such as why an ad was taken down. */
  notice?: ReactNode;
  figures: readonly (readonly [label: string, value: string, note?: string])[];
  tabs: readonly CaseTab[];
};

type CasePageProps<File> = {
  /** Names the file in an error message: 'the person'. */
  what: string;
  query: Pick<UseQueryResult<File>, 'data' | 'error' | 'refetch'>;
  children: (file: File) => CaseParts;
};

/** The file of one person, website, ad zone or ad: who or what it is, what can be done, and what happened. */
export function CasePage<File extends CommonFile>({
  what,
  query: { data: file, error, refetch },
  children,
}: CasePageProps<File>) {
  const parts = file && children(file);
  useConsoleTitle(file && parts ? `${parts.kind}: ${file.name}` : 'Case file');
  if (error instanceof RequestError && error.status === 404) return <NotFoundPage />;
  return (
    <Page>
      {file && parts ? (
        <CaseFile file={file} parts={parts} />
      ) : error ? (
        <LoadError what={what} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton className="h-18" />
          <Skeleton className="h-19" />
          <Skeleton className="h-64" />
        </>
      )}
    </Page>
  );
}

function CaseFile({ file, parts }: { file: CommonFile; parts: CaseParts }) {
  const { suspension, timeline, id, publicId } = file;
  return (
    <>
      <CaseHead file={file} parts={parts} />
      {suspension && (
        <Banner tone="bad" title={`Suspended since ${formatDateTime(suspension.since)}`}>
          <bdi>{suspension.reason}</bdi>
        </Banner>
      )}
      {parts.notice}
      <section aria-label="Figures" className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {parts.figures.map(([label, value, note]) => (
          <StatCard key={label} label={label} value={value} {...(note !== undefined && { note })} />
        ))}
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <Card className="min-w-0">
          <CaseTabs tabs={parts.tabs} />
        </Card>
        <Timeline events={timeline} />
      </div>
      <p className="text-xs wrap-anywhere text-ink-faint">
        Number {id}
        {publicId !== null && `, ${publicId}`}
      </p>
    </>
  );
}

function CaseHead({ file, parts }: { file: CommonFile; parts: CaseParts }) {
  const states = [file.suspension ? { words: 'Suspended', tone: 'bad' as const } : parts.state];
  return (
    <header className="flex flex-wrap items-start gap-4">
      {parts.picture}
      <div className="grid min-w-0 flex-1 basis-60 grid-cols-[minmax(0,1fr)] gap-1.5">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p className="text-xs text-ink-faint">{parts.kind}</p>
          <h1 className="text-2xl font-semibold wrap-anywhere" dir="auto">
            {file.name}
          </h1>
          {parts.about && <div className="text-sm wrap-anywhere text-ink-soft">{parts.about}</div>}
        </div>
        <ul aria-label="State" className="flex flex-wrap gap-1.5">
          {[...states, ...(parts.badges ?? [])].map(({ words, tone }) => (
            <li key={words} className="flex">
              <Badge tone={tone}>{words}</Badge>
            </li>
          ))}
        </ul>
        <ul aria-label="Links" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {parts.links}
        </ul>
      </div>
      <ActMenu acts={file.acts} about={file.name} />
    </header>
  );
}

function CaseTabs({ tabs }: { tabs: readonly CaseTab[] }) {
  const [params, setParams] = useSearchParams();
  const [first] = tabs;
  const chosen = tabs.find(({ value }) => value === params.get('tab')) ?? first;
  return (
    <Tabs
      label="Parts of the file"
      tabs={tabs}
      {...(chosen && { value: chosen.value })}
      onChange={(tab) => setParams(tab === first?.value ? {} : { tab }, { replace: true })}
    />
  );
}
