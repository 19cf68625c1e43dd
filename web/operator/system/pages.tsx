import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ActButtons } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { StateBadge, stateText } from './page-state.tsx';

/** The pages that the operator writes, such as the terms. */
export default function PagesPage() {
  const query = useQuery(read(calls.listWrittenPages));
  return (
    <ConsolePage
      title="Pages"
      what="the pages"
      query={query}
      description="Each page stands at its own address, and a link in the footer leads there once it is published. With terms, people accept them at the sign-up."
    >
      {({ pages, acts }) => {
        const missing = pages.filter(({ version }) => version === 0).length;
        return (
          <>
            {missing > 0 && (
              <Card className="grid gap-4">
                <CardHeader
                  title="Starter texts"
                  description={`They say what this software does with data and money, and mark what you or your lawyer must fill in. ${missing === pages.length ? 'No page has a text yet.' : `${counted(missing, 'page')} of ${pages.length} ${missing === 1 ? 'has' : 'have'} no text yet.`} Nothing is published by this.`}
                />
                <ActButtons acts={acts} />
              </Card>
            )}
            <Card padded={false}>
              <ul aria-label="Pages" className="divide-y divide-line">
                {pages.map((page) => (
                  <li key={page.key}>
                    <Link
                      href={`/operator/pages/${page.key}`}
                      className="grid gap-0.5 px-inset py-3 hover:bg-sunken"
                    >
                      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                        <bdi className="min-w-0 font-medium wrap-anywhere">{page.title}</bdi>
                        <StateBadge page={page} />
                      </span>
                      <span className="text-sm text-ink-soft">{stateText(page)}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </Card>
          </>
        );
      }}
    </ConsolePage>
  );
}
