import { expect, it } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { makeDkimKey, readSignature } from '#server/testing/mail/dkim.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';

const key = makeDkimKey();
const relay = useStarted(async () => await startRelay(await freePort()));
const server = useOwnServer(() => ({
  env: {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Openslot <no-reply@ads.example>',
    DKIM_DOMAIN: 'ads.example',
    DKIM_SELECTOR: 'openslot',
    // A file of variables has one line for each.
    DKIM_KEY: key.privateKey.replaceAll('\n', '\\n'),
  },
}));

it('signs each mail, with the header fields of the unsubscription, as a receiver checks it', async () => {
  await server.ctx.mailer.send({
    id: 1,
    recipient: 'ann@example.test',
    subject: 'Ünïcode  and a subject that is so long that it is folded into several lines of the header',
    text: 'One.\n\n\nTrailing space \n\n',
    html: '<p>One.</p>',
    unsubscribeUrl: `https://ads.example/unsubscribe?token=${'x'.repeat(80)}`,
  });
  const { raw } = relay.taken.at(-1)!;
  const signature = readSignature(raw, key.dns);
  expect(signature?.isValid).toBe(true);
  expect(signature?.tags).toMatchObject({ a: 'rsa-sha256', d: 'ads.example', s: 'openslot' });
  expect(signature?.tags['h']?.split(':')).toEqual(
    expect.arrayContaining(['from', 'to', 'subject', 'date', 'list-unsubscribe', 'list-unsubscribe-post']),
  );

  for (const [said, forged] of [
    ['One-Click', 'Two-Click'],
    ['no-reply@ads', 'no-reply@bad'],
    ['<p>One.', '<p>Two.'],
  ] as const) {
    expect(raw).toContain(said);
    expect(readSignature(raw.replaceAll(said, forged), key.dns)?.isValid).toBe(false);
  }
});
