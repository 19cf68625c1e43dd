/** The pages that the server renders itself, without the React application, and those of the operator’s console. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { isSandbox } from '../server/platform/provider/sandbox/payments.ts';
import { runMoneyWork } from '../server/money/books/run.ts';
import { DEV_KEY } from '../server/testing/client.ts';
import { mailTo } from '../server/testing/mail/mail.ts';
import { suspend } from '../server/operator/decisions/suspend.ts';
import { countAt } from '../server/testing/figures.ts';
import { IS_LONG } from '../server/testing/tier.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import type { Shapes } from './support/axe.ts';
import { harm, OTHER_SCRIPT, signInHostile } from './support/hostile.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, DESKTOP, enterWalk, inBothThemes, type Note, PHONE } from './support/walk.ts';
import { furnish } from './support/world.ts';

// It visits each page of the server, in the long tier in two themes and two widths.
vi.setConfig({ testTimeout: 300_000 });

const suite = useFixture();
type Mail = { id: number; kind: string; subject: string };

it('the server-made pages and the console have no accessibility or overflow findings, and hostile texts do no harm in them', async () => {
  const { server } = suite.fixture;
  const { ads } = await furnish(
    await signInHostile(server, 'seller'),
    await signInHostile(server, 'buyer'),
    OTHER_SCRIPT,
  );
  // The archive lists an ad from its first counted view on.
  await server.ctx.db
    .updateTable('ads')
    .set({ totalImpressions: 1 })
    .where('status', '=', 'active')
    .execute();
  const report = new URLSearchParams({ id: randomUUID(), reason: 'other', details: 'It blinks.' });
  await server.anyone().send('POST', `/report-ad/${ads.active.publicId}`, report.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const told = (await mailTo(server.ctx, server.ctx.config.contactEmail)).at(-1)?.text ?? '';
  const moderation = /\/operator\/ads\/\d+/.exec(told)?.[0] ?? '';
  expect(moderation).not.toBe('');
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  await server.ctx.db
    .insertInto('operatorRequests')
    .values({
      kind: 'add-operator',
      subjectId: operator.client.user.id,
      reason: 'A reason that is long enough to need two lines on a phone that is 320 pixels wide',
      requestedBy: operator.client.user.id,
      requestedAt: server.ctx.realNow(),
      expiresAt: new Date(server.ctx.realNow().getTime() + 86_400_000),
    })
    .execute();
  await suspend(server.ctx, { id: null }, { subject: 'zone', id: ads.active.adZoneId, reason: 'It blinks.' });
  const { affectedId } = await server.ctx.db
    .selectFrom('operatorActs')
    .select('affectedId')
    .where('act', '=', 'suspend')
    .executeTakeFirstOrThrow();
  const owner = await server.ctx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', affectedId ?? 0)
    .executeTakeFirstOrThrow();
  const decision = /\/decision\/[\w-]+\?key=[\w-]+/.exec(
    (await mailTo(server.ctx, owner.email)).at(-1)?.text ?? '',
  );
  const decisionPath = decision?.[0] ?? '';
  expect(decisionPath).not.toBe('');
  const now = server.clock.now();
  // An entry for each queue, so that its forms are on the page.
  await sql`insert into ownership_claims (website_id, opened_at)
    select website_id, ${now} from ad_zones where id = ${ads.active.adZoneId}`.execute(server.ctx.db);
  await countAt(server.ctx, ads.active, now.toISOString(), 1);
  const taken = await sql<{ id: number | null }>`
    select withdraw_traffic(${now}, ${ads.active.adZoneId}, date_trunc('hour', ${now}::timestamptz, 'utc'),
      date_trunc('hour', ${now}::timestamptz, 'utc') + interval '1 hour',
      '[{"signal": "network", "value": 1, "bound": 30}]') as id`.execute(server.ctx.db);
  expect(taken.rows[0]?.id).toEqual(expect.any(Number));
  const { payments, db } = server.ctx;
  if (!isSandbox(payments)) throw new Error('The tests run in the sandbox');
  const { intentId } = await db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', ads.active.id)
    .executeTakeFirstOrThrow();
  const { number: receipt } = await db
    .selectFrom('documents')
    .innerJoin('payments', 'payments.id', 'documents.paymentId')
    .select('documents.number')
    .where('payments.adId', '=', ads.active.id)
    .executeTakeFirstOrThrow();
  const disputeId = await payments.play.dispute(String(intentId), 'dispute');
  await runMoneyWork(server.ctx);
  const backup = { place: '/backups', startedAt: now, release: '0.1.0' };
  await db
    .insertInto('backups')
    .values([
      { ...backup, error: OTHER_SCRIPT.text },
      { ...backup, backup: '/backups/1', bytes: 1, seconds: 1, verifiedAt: now },
      { ...backup, backup: `/backups/${'x'.repeat(200)}`, bytes: 1, verifyError: OTHER_SCRIPT.text },
    ])
    .execute();
  const page = await enterWalk(suite.fixture);
  await page.goto(decisionPath);
  await page.getByLabel('Why do you disagree?').fill('It does not blink.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByText('We’ve received your answer').waitFor();
  await becomePerson(page, suite.fixture, operator.client);
  const { id: actId } = await server.ctx.db
    .selectFrom('appeals')
    .select('actId as id')
    .executeTakeFirstOrThrow();
  const { body: mails } = await server.anyone().get('/dev/mail.json');
  const kinds = new Map((mails as Mail[]).map(({ id, kind }) => [kind, id]));
  expect(kinds.size).toBeGreaterThan(4);
  // A line break in the subject would let a user add mail headers.
  for (const { subject } of mails as Mail[]) expect(subject).not.toMatch(/\p{Cc}/u);
  const paths = [
    `/dev/mail?key=${DEV_KEY}`,
    // The page of one mail. The list shows the subjects of all.
    `/dev/mail/${[...kinds.values()].at(-1)}`,
    ...[...kinds.values()].map((id) => `/dev/mail/${id}/html`),
    `/api/serve/why/${ads.active.publicId}`,
    '/api/serve/why/nothing',
    '/ad-archive',
    '/ad-archive?q=nothing',
    `/ad-archive/${ads.active.publicId}`,
    '/ad-archive/nothing',
    `/report-ad/${ads.active.publicId}`,
    `/report-ad/${ads.active.publicId}/sent`,
    '/global-privacy-control',
    '/measurement',
    moderation,
    decisionPath,
    '/decision/nothing',
    '/operator',
    '/operator/find?subject=ad',
    '/operator/find?q=nothing+at+all',
    '/operator/find?subject=document',
    `/operator/documents/${receipt}`,
    `/operator/people/${affectedId}`,
    `/operator/zones/${ads.active.adZoneId}`,
    '/operator/reports',
    '/operator/appeals',
    '/operator/claims',
    '/operator/withdrawals',
    `/operator/appeals/${actId}`,
    `/operator/mail?to=${owner.email}`,
    '/operator/jobs',
    '/operator/money',
    '/operator/books',
    `/operator/evidence/${disputeId}`,
    '/operator/operators',
    '/operator/requests',
    '/operator/settings',
    '/operator/audit',
    '/operator/system',
    '/operator/faults',
    '/operator/pages',
    '/operator/pages/terms',
    '/operator/announcement',
    '/operator/outbound',
    '/operator/ads/0',
    '/api/sandbox/billing-portal',
    '/api/sandbox/onboarding',
    '/dev/rehearsal',
    '/api/billing/portal',
  ];
  // Each page of the console has the bar about a restored backup, and one has its form.
  await server.owner.updateTable('outbound').set({ heldSince: now }).execute();
  const found: string[] = [];
  const shapes: Shapes = new Set();
  for (const [index, path] of paths.entries()) {
    await page.goto(path);
    if (path.startsWith('/operator')) {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    const note: Note = (when, findings) => {
      for (const one of findings) {
        // A mail program shows the mail inside its own page, which has the landmarks.
        if (path.endsWith('/html') && /^(landmark-one-main|region):/.test(one)) continue;
        found.push(`${path}, ${when}: ${one}`);
      }
    };
    const atDesktop = async () => {
      await resize(page, DESKTOP);
      await inBothThemes(page, note, shapes);
      note('1280 px', [...(await harm(page)), ...(await sideways(page)), ...(await lostText(page))]);
    };
    const onPhone = async () => {
      await resize(page, PHONE);
      note('320 px', [...(await sideways(page)), ...(await lostText(page))]);
    };
    // Every second page opens in the last window size of the page before, because a change of size takes long.
    const checks = index % 2 === 0 ? [atDesktop, onPhone] : [onPhone, atDesktop];
    for (const check of IS_LONG ? checks : checks.slice(0, 1)) await check();
  }
  expect(found).toEqual([]);
});
