import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import {
  type FoundItem,
  type FoundKind,
  LISTED_KINDS,
  type ListedKind,
} from '#domain/operator/console/find-contract.ts';
import { MAX_SEARCH } from '#domain/operator/limits.ts';
import { read } from '#web/http/query.ts';
import { RequestError } from '#web/http/request-error.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FindForm } from '../parts/find-form.tsx';
import { PagedPage } from '../parts/paged-page.tsx';
import { useMenuPages } from '../parts/menu-pages.ts';
import { useConsoleTitle } from '../parts/console-title.ts';

const TITLES: Record<FoundKind, string> = {
  person: 'People',
  website: 'Websites',
  zone: 'Ad zones',
  ad: 'Ads',
  document: 'Documents',
  payment: 'Payments',
  act: 'Acts of operators',
};

const addressOf = (q: string, kind?: ListedKind): string =>
  `/operator/find?${new URLSearchParams({ q, ...(kind && { subject: kind }) }).toString()}`;

/** What a search has found: the first hits of every kind, or all of one kind. */
export default function FindPage() {
  const [params] = useSearchParams();
  const q = params.get('q') ?? '';
  const kind = LISTED_KINDS.find((each) => each === params.get('subject'));
  if (q.trim().length > MAX_SEARCH) return <TooLong />;
  if (!kind) return <Everything q={q} />;
  return (
    <PagedPage
      title={`Find: ${TITLES[kind]}`}
      what="the hits"
      call={calls.findOfKind}
      input={{ params: { kind }, query: { q } }}
      description={<Asked q={q} />}
      above={<Kinds q={q} here={kind} />}
      empty={q === '' ? 'There is nothing yet' : 'Nothing matches. Try fewer words, or another kind'}
      keyOf={({ path }) => path}
    >
      {(item) => <Hit item={item} />}
    </PagedPage>
  );
}

function Everything({ q }: { q: string }) {
  useConsoleTitle('Find');
  const query = useQuery({ ...read(calls.findAnything, { query: { q } }), enabled: q.trim() !== '' });
  const pages = useMenuPages(q);
  return (
    <Page>
      <PageHeader title="Find" description={<Asked q={q} />} />
      {/* A phone's header has no field. */}
      <FindForm key={q} hint="A name, an address, a number" value={q} className="sm:hidden" />
      {q.trim() !== '' && <Kinds q={q} />}
      {pages.length > 0 && (
        <Group title="Pages">
          {pages.map(({ path, title }) => (
            <li key={path} className="px-inset py-2.5 text-sm">
              <Link href={path} className="font-medium text-accent hover:underline">
                {title}
              </Link>
            </li>
          ))}
        </Group>
      )}
      {q.trim() === '' ? (
        <EmptyState title="What are you looking for?">
          Write a name, an e-mail address, a host, a number or an id into the field. It finds people,
          websites, ad zones, ads, documents, payments, acts and pages.
        </EmptyState>
      ) : query.error ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <Groups q={q} found={query.data} hasPages={pages.length > 0} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Page>
  );
}

type Found = {
  groups: readonly { kind: FoundKind; items: readonly FoundItem[]; hasMore: boolean }[];
  isReference: boolean;
};

function Groups({ q, found, hasPages }: { q: string; found: Found; hasPages: boolean }) {
  const { groups, isReference } = found;
  if (isReference)
    return (
      <Banner title="Is this the reference of an error?">
        The console doesn’t store errors. Search for this reference in the log of the server: the line with it
        has the cause. Nothing else has this id.
      </Banner>
    );
  if (groups.length === 0)
    return hasPages ? null : (
      <EmptyState title="Nothing matches">
        Try fewer words. An amount has its cents, such as 119.00, and a document its whole number, such as
        R-2026-000001.
      </EmptyState>
    );
  return groups.map(({ kind, items, hasMore }) => {
    const listed = LISTED_KINDS.find((each) => each === kind);
    return (
      <Group key={kind} title={TITLES[kind]}>
        {items.map((item) => (
          <li key={item.path} className="grid gap-0.5 px-inset py-2.5">
            <Hit item={item} />
          </li>
        ))}
        {hasMore && listed && (
          <li className="px-inset py-2.5 text-sm">
            <Link href={addressOf(q, listed)} className="text-accent hover:underline">
              {`All ${TITLES[kind].toLowerCase()} that match`}
            </Link>
          </li>
        )}
      </Group>
    );
  });
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card padded={false} aria-label={title}>
      <h2 className="border-b border-line px-inset py-2.5 text-base font-semibold">{title}</h2>
      <ul className="divide-y divide-line">{children}</ul>
    </Card>
  );
}

function Hit({ item: { path, name, about, isSuspended, number } }: { item: FoundItem }) {
  return (
    <>
      <span className="flex items-center gap-2 text-sm">
        <Link href={path} className="min-w-0 font-medium wrap-anywhere text-accent hover:underline">
          <bdi>{name}</bdi>
        </Link>
        {isSuspended && <Badge tone="bad">Suspended</Badge>}
      </span>
      <span className="flex flex-wrap gap-x-2 text-xs text-ink-soft">
        {about !== '' && <bdi className="min-w-0 wrap-anywhere">{about}</bdi>}
        {number !== '' && (
          <span className="wrap-anywhere text-ink-faint">
            {/^\d+$/.test(number) ? `No. ${number}` : number}
          </span>
        )}
      </span>
    </>
  );
}

const Asked = ({ q }: { q: string }) =>
  q.trim() === '' ? null : (
    <span>
      For “<bdi>{q}</bdi>”
    </span>
  );

/** The kinds as links, so that one can be listed page by page. */
function Kinds({ q, here }: { q: string; here?: ListedKind }) {
  const links = [
    { text: 'Everything', href: addressOf(q), isHere: here === undefined },
    ...LISTED_KINDS.map((kind) => ({
      text: TITLES[kind],
      href: addressOf(q, kind),
      isHere: kind === here,
    })),
  ];
  return (
    <nav aria-label="What to find" className="flex flex-wrap gap-1.5">
      {links.map(({ text, href, isHere }) => (
        <Link
          key={text}
          href={href}
          aria-current={isHere ? 'page' : undefined}
          className={cn(
            'rounded-full px-3 py-1 text-sm transition-colors duration-150',
            isHere ? 'bg-accent-soft font-medium text-accent' : 'text-ink-soft hover:bg-sunken',
          )}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return error instanceof RequestError && error.status === 400 && error.spoken !== null ? (
    <Banner tone="bad">{error.spoken}</Banner>
  ) : (
    <LoadError what="the hits" onRetry={onRetry} />
  );
}

function TooLong() {
  useConsoleTitle('Find');
  return (
    <Page>
      <PageHeader title="Find" />
      <Banner tone="bad">{`Search for at most ${MAX_SEARCH} characters.`}</Banner>
    </Page>
  );
}
