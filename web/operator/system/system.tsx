import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { spanText } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getSystem, systemBackup } from '#domain/operator/console/system-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { z } from 'zod';
import { read } from '#web/http/query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { WithCode } from '../parts/with-code.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { sizeText } from './size-text.ts';

type System = Reply<typeof getSystem>;

/** The state of the installation. */
export default function SystemPage() {
  const query = useQuery(read(calls.getSystem));
  return (
    <ConsolePage title="System" what="the state of the system" query={query}>
      {(system) => (
        <>
          <Work work={system.work} />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Instances {...system} />
            <Facts {...system} />
          </div>
          <Backups {...system.backups} />
        </>
      )}
    </ConsolePage>
  );
}

/** What waits for the server, each with the page that shows it. A figure that should be zero and isn't stands out. */
function Work({ work }: { work: System['work'] }) {
  const { jobsWaiting, jobsFailed, oldestJobSeconds, mailWaiting, uncovered, differences } = work;
  const entries = [
    { href: '/operator/jobs', name: 'Jobs that wait', value: formatCount(jobsWaiting) },
    {
      href: '/operator/jobs?failed=1',
      name: 'Jobs that failed',
      value: formatCount(jobsFailed),
      isBad: jobsFailed > 0,
    },
    {
      href: '/operator/jobs',
      name: 'How long the most overdue job has been due',
      value: oldestJobSeconds === 0 ? 'None is due' : spanText(oldestJobSeconds),
    },
    { href: '/operator/mail', name: 'Mail that has not been sent', value: formatCount(mailWaiting) },
    {
      href: '/operator/books',
      name: 'Owed money that is not covered',
      value: formatMoney(uncovered),
      isBad: Number(uncovered) > 0,
    },
    {
      href: '/operator/money',
      name: 'Differences between the ledger and the card provider',
      value: formatCount(differences),
      isBad: differences > 0,
    },
  ];
  return (
    <Card padded={false}>
      <CardHeader title="Work" className="px-inset pt-inset pb-2" />
      <ul aria-label="Work" className="divide-y divide-line">
        {entries.map(({ href, name, value, isBad = false }) => (
          <li key={name}>
            <Link
              href={href}
              className="flex items-baseline justify-between gap-6 px-inset py-2.5 text-sm hover:bg-sunken"
            >
              <span className="min-w-0 wrap-anywhere">{name}</span>
              <span className={cn('figures font-medium whitespace-nowrap', isBad && 'text-bad')}>
                {value}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Instances({ instances, release }: Pick<System, 'instances' | 'release'>) {
  return (
    <Card padded={false}>
      <CardHeader title="Running instances" className="px-inset pt-inset pb-2" />
      {instances.length === 0 ? (
        <p className="px-inset pb-4 text-sm text-ink-soft">
          No instance was seen in the last 30 seconds. Look for errors of the database in the log.
        </p>
      ) : (
        <ul aria-label="Running instances" className="divide-y divide-line">
          {instances.map((instance) => (
            <li key={instance.name} className="grid gap-0.5 px-inset py-2.5 text-sm">
              <span className="font-medium wrap-anywhere">
                <bdi>{instance.name}</bdi>
              </span>
              <span className="flex flex-wrap items-center gap-x-2 text-ink-soft">
                <span>
                  Release {instance.release}, seen {spanText(instance.seenSeconds)} ago
                </span>
                {instance.release !== release && <Badge tone="warn">Another release</Badge>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Facts({ release, database, uploads }: Pick<System, 'release' | 'database' | 'uploads'>) {
  return (
    <Card className="grid gap-3">
      <CardHeader title="Release and storage" />
      <dl className="grid gap-3 text-sm">
        <Fact name="This instance">{release}</Fact>
        <Fact name="Database">
          {database.release}. Instances of {database.compatibleFrom} or newer can start.
        </Fact>
        <Fact name="Uploads">
          In <bdi>{uploads}</bdi>
        </Fact>
        <Fact name="Size of the database">{sizeText(database.bytes)}</Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Backups({ ages, problems, last }: System['backups']) {
  return (
    <Card padded={false}>
      <CardHeader title="Backups" className="px-inset pt-inset" />
      <div className="grid gap-3 px-inset py-4 text-sm">
        {problems.length > 0 && (
          <Banner tone={last.length === 0 ? 'warn' : 'bad'}>
            <ul className="grid gap-1">
              {problems.map((problem) => (
                <li key={problem}>
                  <WithCode sentence={problem} />
                </li>
              ))}
            </ul>
          </Banner>
        )}
        {last.length === 0 ? (
          <p className="text-ink-soft">
            <WithCode sentence="`docs/run.md` describes `BACKUP_TO`, `BACKUP_AT` and `BACKUP_KEEP` under “Backup”." />
          </p>
        ) : (
          <p>{ages}</p>
        )}
      </div>
      {last.length > 0 && (
        <ul aria-label="Backups" className="divide-y divide-line border-t border-line">
          {last.map((backup) => (
            <BackupLine key={`${backup.startedAt} ${backup.backup ?? backup.place}`} {...backup} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function BackupLine({
  startedAt,
  place,
  backup,
  bytes,
  seconds,
  release,
  ...row
}: z.output<typeof systemBackup>) {
  return (
    <li className="grid gap-0.5 px-inset py-2.5 text-sm">
      <span className="font-medium">{formatDateTime(startedAt)}</span>
      {backup === null ? (
        <span className="wrap-anywhere text-bad">
          Failed, to <bdi>{place}</bdi>: <bdi>{row.error}</bdi>
        </span>
      ) : (
        <span className="wrap-anywhere text-ink-soft">
          <bdi>{backup}</bdi>, {sizeText(bytes ?? 0)}
          {seconds !== null && ` in ${spanText(seconds)}`}, release {release}
        </span>
      )}
      {row.verifyError !== null ? (
        <span className="wrap-anywhere text-bad">
          It did not hold as a proof: <bdi>{row.verifyError}</bdi>
        </span>
      ) : (
        row.verifiedAt !== null && (
          <span className="text-good">Restored as a proof on {formatDateTime(row.verifiedAt)}</span>
        )
      )}
    </li>
  );
}
