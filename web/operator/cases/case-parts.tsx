/** Parts that the files of several kinds share. */
import type { ReactNode } from 'react';
import { ExternalLink } from 'lucide-react';
import { Link } from 'wouter';
import { shortPercentText } from '#domain/format.ts';
import type { CaseLine, CaseTraffic } from '#domain/operator/console/cases-contract.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';

const looks = 'wrap-anywhere text-accent hover:underline';

/** A link of the head to a page of the console. */
export function HeadLink({ href, children }: { href: string; children: string }) {
  return (
    <li className="min-w-0">
      <Link href={href} className={looks}>
        <bdi>{children}</bdi>
      </Link>
    </li>
  );
}

/** A link of the head that leaves the console. The page must not learn where it comes from. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  const isMail = href.startsWith('mailto:');
  return (
    <li className="min-w-0">
      <a
        href={href}
        {...(!isMail && { target: '_blank', rel: 'noreferrer' })}
        className={`${looks} inline-flex items-center gap-1 [&_svg]:size-3.5 [&_svg]:shrink-0`}
      >
        <bdi>{children}</bdi>
        {!isMail && <ExternalLink aria-hidden="true" />}
      </a>
    </li>
  );
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const TONES: Record<string, Tone> = {
  active: 'good',
  approved: 'accent',
  pending: 'warn',
  'waiting for review': 'warn',
  refused: 'bad',
  rejected: 'bad',
};

/** The state of a website, an ad zone or an ad. */
export const stateOf = (status: string): { words: string; tone: Tone } => ({
  words: capital(status),
  tone: TONES[status] ?? 'neutral',
});

type FactRow = readonly [name: string, value: ReactNode];

/** Names and values. Entries that are false are left out. */
export function Facts({ facts }: { facts: readonly (FactRow | false)[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft max-sm:-mb-2.5">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type LineListProps = {
  title: string;
  /** The address of the files, such as '/operator/ads'. */
  folder: string;
  lines: readonly CaseLine[];
  empty: string;
};

/** The newest websites, ad zones or ads, each with its state and a link to its file. */
export function LineList({ title, folder, lines, empty }: LineListProps) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className="text-base font-semibold">{title}</h2>
      {lines.length === 0 ? (
        <p className="text-sm text-ink-soft">{empty}</p>
      ) : (
        <ul className="divide-y divide-line">
          {lines.map(({ id, name, status, isSuspended }) => {
            const { words, tone } = isSuspended
              ? { words: 'Suspended', tone: 'bad' as const }
              : stateOf(status);
            return (
              <li key={id} className="flex items-center justify-between gap-3 py-2 text-sm">
                <Link href={`${folder}/${id}`} className={`min-w-0 ${looks}`}>
                  <bdi>{name}</bdi>
                </Link>
                <Badge tone={tone}>{words}</Badge>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

type Hold = {
  id: number;
  adPublicId: string | null;
  reason: string;
  amount: string;
  since: string;
  until: string | null;
};

/** The holds on earnings, with the way to release them. */
export function Holds({ holds }: { holds: readonly Hold[] }) {
  return (
    <section aria-label="Earnings on hold" className="grid gap-2">
      <h2 className="text-base font-semibold">Earnings on hold</h2>
      {holds.length === 0 ? (
        <p className="text-sm text-ink-soft">Nothing is on hold.</p>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {holds.map(({ id, adPublicId, reason, amount, since, until }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2 text-sm">
                <span className="min-w-0">
                  <span className="block">{capital(reason.replaceAll('_', ' '))}</span>
                  <span className="block text-xs text-ink-faint">
                    {`Since ${formatDateTime(since)}${until === null ? '' : `, until ${formatDateTime(until)}`}, `}
                    {adPublicId === null ? (
                      <span>all earnings</span>
                    ) : (
                      <Link href={`/operator/find?q=${adPublicId}`} className="text-accent underline">
                        one ad
                      </Link>
                    )}
                  </span>
                </span>
                <span className="figures font-medium">{formatMoney(amount)}</span>
              </li>
            ))}
          </ul>
          <p className="text-sm text-ink-soft">
            You release a hold on the page{' '}
            <Link href="/operator/books" className="text-accent underline">
              Books
            </Link>
            .
          </p>
        </>
      )}
    </section>
  );
}

export const shareText = (share: number | null): string => (share === null ? '–' : shortPercentText(share));

/** The events of the last days. */
export function Traffic({ traffic }: { traffic: CaseTraffic }) {
  const { days, views, clicks, requests, fill, invalidShare } = traffic;
  return (
    <div className="grid gap-4">
      <h2 className="text-base font-semibold">{`Last ${days} days`}</h2>
      <Facts
        facts={[
          requests !== null && ['Ad requests', formatCount(requests)],
          requests !== null && ['Fill', shareText(fill)],
          ['Viewable impressions', formatCount(views)],
          ['Clicks', formatCount(clicks)],
          ['Click-through rate', shareText(views === 0 ? null : clicks / views)],
          ['Invalid traffic', shareText(invalidShare)],
        ]}
      />
    </div>
  );
}

/** What was paid for a thing. */
export function Sales({ spend, earnings, onHold }: { spend: string; earnings: string; onHold: string }) {
  return (
    <Facts
      facts={[
        ['Paid by advertisers', <Money key={0} amount={spend} />],
        ['Publisher’s part', <Money key={0} amount={earnings} />],
        ['On hold', <Money key={0} amount={onHold} />],
      ]}
    />
  );
}

export const Money = ({ amount }: { amount: string }) => (
  <span className="figures">{formatMoney(amount)}</span>
);
