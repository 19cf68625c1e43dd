import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => await server.close());

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await server.app.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return rows.map(({ name }) => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()));
}

it.each([
  [
    'ENT-01',
    'users',
    'id email password firstName lastName profileImageUrl role hasCompletedOnboarding isEmailVerified verificationCode verificationCodeExpires passwordResetCode passwordResetExpires stripeCustomerId stripeSubscriptionId createdAt updatedAt',
  ],
  ['ENT-07', 'sessions', 'sid sess expire'],
  ['ENT-08', 'email_verifications', 'id email code expiresAt isUsed createdAt'],
  [
    'ENT-11',
    'user_settings',
    'id userId emailNotifications marketingEmails paymentAlerts campaignUpdates timezone currency businessName taxId website description createdAt updatedAt',
  ],
])('%s the table %s has its columns', async (_id, table, columns) => {
  expect(await columnsOf(table)).toEqual(expect.arrayContaining(columns.split(' ')));
});

// Proves ENT-12
it('the database removes settings with their user', async () => {
  const { user } = await server.signIn();
  await server.ctx.db.deleteFrom('users').where('id', '=', user.id).execute();
  const left = await server.ctx.db
    .selectFrom('userSettings')
    .select('id')
    .where('userId', '=', user.id)
    .execute();
  expect(left).toEqual([]);
});

// Proves ENT-09
it('the database refuses a code of another length, and a sixth try', async () => {
  const insert = async (row: { code: string; tries?: number }) =>
    await server.ctx.db
      .insertInto('emailVerifications')
      .values({ email: 'a@b.example', expiresAt: new Date(), ...row })
      .execute();
  await expect(insert({ code: '123' })).rejects.toThrow('email_verifications_code_length');
  await expect(insert({ code: '12345' })).rejects.toThrow('too long');
  await expect(insert({ code: '1234', tries: 6 })).rejects.toThrow('email_verifications_tries');
});
