/** The pages about the state of the installation: System, Outgoing and Faults. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { getOutbound, getSystem, listFaults } from '#domain/operator/console/system-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { saying, see, seeToast, wordsOf } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';
import { sample } from '#web/testing/sample.ts';
import { sizeText } from './size-text.ts';

const AT = '2026-11-30T10:00:00.000Z';
const system: Reply<typeof getSystem> = {
  release: '0.1.9',
  database: { release: '0.1.9', compatibleFrom: '0.0.5', bytes: 1_230_000_000 },
  instances: [
    { name: 'one:7 on port 1', release: '0.1.9', seenSeconds: 2 },
    { name: 'other:7 on port 1', release: '0.1.7', seenSeconds: 20 },
  ],
  backups: {
    ages: 'The newest backup is 3 hours old.',
    problems: ['Run `openslot backup verify --from BACKUP`.'],
    last: [
      {
        place: '/backups',
        backup: '/backups/openslot-1',
        startedAt: AT,
        release: '0.1.9',
        bytes: 1_234_567_890,
        seconds: 95,
        error: null,
        verifiedAt: AT,
        verifyError: null,
      },
      {
        place: '/backups',
        backup: null,
        startedAt: '2026-11-29T10:00:00.000Z',
        release: '0.1.9',
        bytes: null,
        seconds: null,
        error: '/backups cannot be written <now>',
        verifiedAt: null,
        verifyError: null,
      },
    ],
  },
  work: {
    jobsWaiting: 3,
    jobsFailed: 1,
    oldestJobSeconds: 10_800,
    mailWaiting: 1,
    uncovered: '3.20',
    differences: 0,
  },
  uploads: '/data/uploads',
};

it('shows release, instances, work, backups and storage, and leads to the pages about the work', async () => {
  answer(getSystem, system);
  await openConsole('/operator/system');
  const work = page.getByRole('list', { name: 'Work' });
  await see(work);
  expect(
    work
      .getByRole('link')
      .all()
      .map((link) => [wordsOf(link), link.element().getAttribute('href')]),
  ).toEqual([
    ['Jobs that wait 3', '/operator/jobs'],
    ['Jobs that failed 1', '/operator/jobs?failed=1'],
    ['How long the most overdue job has been due 3 hours', '/operator/jobs'],
    ['Mail that has not been sent 1', '/operator/mail'],
    ['Owed money that is not covered $3.20', '/operator/books'],
    ['Differences between the ledger and the card provider 0', '/operator/money'],
  ]);
  await see(page.getByText('0.1.9. Instances of 0.0.5 or newer can start.'));
  await see(page.getByText('Release 0.1.7, seen 20 seconds ago'));
  await see(page.getByText('In /data/uploads'));
  await see(page.getByText('1.2 GB', { exact: true }));
  await see(saying('/backups/openslot-1, 1.2 GB in 95 seconds, release 0.1.9'));
  await see(saying('Failed, to /backups: /backups cannot be written <now>'));
  const alert = page.getByRole('alert');
  expect(wordsOf(alert)).toBe('Run openslot backup verify --from BACKUP.');
  expect(alert.element().querySelector('code')?.textContent).toBe('openslot backup verify --from BACKUP');
});

it('says what to do without a backup or an instance, and can load again after an error', async () => {
  answer(getSystem, broken);
  await openConsole('/operator/system');
  await see(page.getByRole('button', { name: 'Try again' }));
  const backups = { ages: '', problems: ['No backup was made yet. Set `BACKUP_TO`.'], last: [] };
  answer(getSystem, { ...system, instances: [], backups });
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(saying('No instance was seen in the last 30 seconds.'));
  await see(saying('No backup was made yet.'));
  await see(page.getByText('docs/run.md'));
});

it('names sizes by powers of 1000', () => {
  expect([0, 999, 1000, 1_230_000_000].map(sizeText)).toEqual(['0 bytes', '999 bytes', '1.0 kB', '1.2 GB']);
});

// Proves OPS-54
it('says what waits after a restore, and releases it with a reason', async () => {
  const release = offered('/operator/outbound/release', 'Release', { title: 'Release everything outgoing' });
  answer(getOutbound, { since: AT, mails: 3, refunds: 1, payouts: 0, provider: 2, acts: [release] });
  await openConsole('/operator/outbound');
  await see(saying('Mail, refunds, payouts and every call to the card provider wait'));
  const calls = answer(actAt(release.path), refused(409, 'Nothing has to wait.'));
  await page.getByRole('button', { name: 'Release' }).click();
  const sheet = page.getByRole('dialog', { name: 'Release everything outgoing' });
  await sheet.getByLabelText('Reason').fill('The original is gone');
  await sheet.getByRole('button', { name: 'Release' }).click();
  await see(sheet.getByText('Nothing has to wait.'));
  // Another operator has released it, which the page shows as soon as the sheet is closed.
  answer(getOutbound, { ...sample(getOutbound.reply), since: null, acts: [] });
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await see(page.getByText('Nothing has to wait. What is due leaves by itself.'));
  await expect.element(page.getByRole('button', { name: 'Release' })).not.toBeInTheDocument();
  expect(calls[0]?.body).toEqual({ reason: 'The original is gone' });
});

it('shows the faults of the installation, which can be expected, and those of websites', async () => {
  const fault = {
    id: 4,
    title: 'A proxy drops the query string',
    evidence: '60 of 60 views were refused.',
    cause: 'Something drops it.',
    next: 'Let it pass.',
    beganAt: AT,
  };
  const expectIt = offered('/operator/faults/4/expect', 'This is expected');
  answer(listFaults, {
    installation: [{ ...fault, acts: [expectIt] }],
    websites: [{ ...fault, id: 5, title: 'The tag is gone', websiteId: 7, websiteName: 'Bergblick' }],
  });
  await openConsole('/operator/faults');
  await see(page.getByRole('link', { name: 'Bergblick' }));
  await see(page.getByText('Something drops it. Let it pass.').first());
  const said = 'Fault 4, “A proxy drops the query string”, is expected.';
  const calls = answer(actAt(expectIt.path), { said, next: null });
  await page.getByRole('button', { name: /^This is expected: / }).click();
  await page.getByLabelText('Reason').fill('A load test');
  answer(listFaults, { installation: [], websites: [] });
  await page.getByRole('dialog').getByRole('button', { name: 'This is expected' }).click();
  await seeToast(said);
  await see(page.getByText('The installation has no faults'));
  await see(page.getByText('No website has faults'));
  expect(calls[0]?.body).toEqual({ reason: 'A load test' });
});
