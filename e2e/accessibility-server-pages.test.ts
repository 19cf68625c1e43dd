/** The pages that the server renders itself, without the React application. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mailTo } from '../server/testing/mail.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish } from './support/world.ts';

const suite = useFixture();

// Proves A11Y-01, A11Y-05
it('the server-made pages (mail, ad archive, reports, sandbox) have no accessibility or overflow findings', async () => {
  const { server } = suite.fixture;
  const { ads } = await furnish(await suite.client('seller'), await suite.client('buyer'));
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
  const moderation = /\/moderate-ad\?key=[\w-]+/.exec(told)?.[0] ?? '';
  expect(moderation).not.toBe('');
  const { page } = await suite.enter('buyer');
  const { body: mails } = await server.anyone().get('/dev/mail.json');
  const kinds = new Map((mails as { id: number; kind: string }[]).map(({ id, kind }) => [kind, id]));
  expect(kinds.size).toBeGreaterThan(2);
  const paths = [
    '/dev/mail',
    ...[...kinds.values()].flatMap((id) => [`/dev/mail/${id}`, `/dev/mail/${id}/html`]),
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
    '/moderate-ad?key=nothing',
    '/api/sandbox/billing-portal',
    '/api/billing/portal',
  ];
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const one of await axeFindings(page, theme)) {
        // A mail program shows the mail inside its own page, which has the landmarks.
        if (path.endsWith('/html') && /^(landmark-one-main|region):/.test(one)) continue;
        found.push(`${path}, ${theme}: ${one}`);
      }
    }
    await resize(page, { width: 320, height: 640 });
    for (const one of [...(await sideways(page)), ...(await lostText(page))]) found.push(`${path}: ${one}`);
    await resize(page, { width: 1280, height: 900 });
  }
  expect(found).toEqual([]);
});
