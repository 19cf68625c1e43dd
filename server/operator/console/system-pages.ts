/** The console's page about the installation. */
import { type Currency, decimalOf } from '#domain/money.ts';
import { agesText, type BackupReport } from '#server/operations/backup/state.ts';
import { spanText } from '#server/platform/http/dates.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import type { System } from '../system.ts';
import type { ConsolePage } from './console.ts';
import { fact, facts, rows, time } from '#server/platform/http/page/parts.ts';

export function systemPage(
  { release, database, servers, backups, figures, uploads }: System,
  currency: Currency,
): ConsolePage {
  return {
    title: 'System',
    main: html`<h1>System</h1>
<h2>Release</h2>
${facts(
  fact('This instance', release),
  fact('Database', `${database.release}. Instances of ${database.compatibleFrom} or newer can start.`),
)}
<h2>Running instances</h2>
${rows(
  servers.map(
    ({ server, release: of, seenSeconds }) =>
      html`<strong>${server}</strong><span class="quiet">Release ${of}, seen ${spanText(seenSeconds)} ago</span>`,
  ),
  'No instance was seen in the last 30 seconds. Look for errors of the database in the log.',
)}
${backupsPart(backups)}
<h2>Work</h2>
<div class="counts">${rows(
      workOf(figures, currency).map(
        ([href, name, value]) => html`<a href="${href}">${name}</a><span class="quiet">${value}</span>`,
      ),
    )}</div>
<h2>Storage</h2>
${facts(fact('Uploads', `In ${uploads}`), fact('Size of the database', sizeText(database.bytes)))}`,
  };
}

function backupsPart({ problems, last, ...ages }: BackupReport): Markup {
  const said = problems.map(withCode);
  if (last.length === 0)
    return html`<h2>Backups</h2>
<p class="quiet">${said}<code>docs/run.md</code> describes <code>BACKUP_TO</code>, <code>BACKUP_AT</code> and <code>BACKUP_KEEP</code> under “Backup”.</p>`;
  return html`<h2>Backups</h2>
${said.length > 0 && html`<p class="error" role="alert">${said}</p>`}
<p>${agesText(ages)}</p>
${rows(last.map(backupLine))}`;
}

/** A sentence with a space behind it, in which commands are between backticks. */
function withCode(sentence: string): Markup {
  const parts = sentence
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`<bdi>${parts}</bdi> `;
}

function backupLine({
  place,
  backup,
  startedAt,
  release,
  bytes,
  seconds,
  ...row
}: BackupReport['last'][number]): Markup {
  const made =
    backup !== null &&
    html`<bdi>${backup}</bdi>, ${sizeText(bytes ?? 0)}${seconds !== null && ` in ${spanText(seconds)}`}, release ${release}`;
  const proof =
    row.verifyError === null
      ? row.verifiedAt && html`<span class="quiet">Restored as a proof on ${time(row.verifiedAt)}</span>`
      : html`<span class="error">It did not hold as a proof: <bdi>${row.verifyError}</bdi></span>`;
  return html`<strong>${time(startedAt)}</strong>
${made ? html`<span class="quiet">${made}</span>` : html`<span class="error">Failed, to <bdi>${place}</bdi>: <bdi>${row.error ?? ''}</bdi></span>`}
${proof}`;
}

function workOf(
  { jobsWaiting, jobsFailed, oldestJob, mailWaiting, uncoveredCents, differences }: System['figures'],
  currency: Currency,
): [href: string, name: string, value: string][] {
  return [
    ['/operator/jobs', 'Jobs that wait', String(jobsWaiting)],
    ['/operator/jobs?failed=1', 'Jobs that failed', String(jobsFailed)],
    [
      '/operator/jobs',
      'How long the most overdue job has been due',
      oldestJob === 0 ? 'None is due' : spanText(oldestJob),
    ],
    ['/operator/mail', 'Mail that has not been sent', String(mailWaiting)],
    ['/operator/books', 'Owed money that is not covered', `${decimalOf(uncoveredCents)} ${currency}`],
    ['/operator/money', 'Differences between the ledger and the card provider', String(differences)],
  ];
}

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** '1.2 GB', by powers of 1000 as disks are sold. */
function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), SIZES.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${SIZES[power]}`;
}
