import { expect, it } from 'vitest';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import { makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { createForwardingNotice, findUntrustedForwarding } from './untrusted-forwarding.ts';

const lines: string[] = [];
const server = useOwnAdServer({ TRAFFIC_RULES: 'production' }, (line) => lines.push(line));

const warnings = () => lines.filter((line) => line.includes('X-Forwarded-For'));
const found = async () =>
  (await findUntrustedForwarding(server.ctx.db, server.clock.now())).map(({ peer }) => peer);

it('warns once in the log about a proxy that TRUSTED_PROXIES does not name, and remembers it for a day', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  expect(await found()).toEqual([]);
  for (let time = 0; time < 3; time++) {
    const visit = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    await server.view((await server.decide(zone, visit)).view, visit);
    server.clock.advance(3_600_000);
    await server.app.flushDelivery();
  }
  expect(warnings()).toHaveLength(1);
  expect(JSON.parse(warnings()[0]!)).toMatchObject({ level: 'warn', peer: '127.0.0.1' });
  expect(await found()).toEqual(['127.0.0.1']);
  server.clock.advance(86_400_000);
  expect(await found()).toEqual([]);
  await removeExpired(server.ctx);
  expect(await server.ctx.db.selectFrom('untrustedForwarding').selectAll().execute()).toEqual([]);
});

it('does not store or log the address of a public client that sends the header', async () => {
  const written: object[] = [];
  const log = { ...server.ctx.log, warn: (fields: object) => written.push(fields) } as typeof server.ctx.log;
  const notice = createForwardingNotice({ ...server.ctx, log });
  notice.note('91.64.1.1');
  notice.note('91.64.1.2');
  await notice.flush();
  expect(written).toEqual([{ peer: null }]);
  expect(await found()).toEqual([null]);
  expect(lines.join()).not.toContain('91.64.1');
});
