import { expect, it } from 'vitest';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await server.app.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return rows.map(({ name }) => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()));
}

// Proves ENT-01, ENT-07, ENT-11
it.each([
  [
    'users',
    'id email password firstName lastName profileImageUrl role hasCompletedOnboarding isEmailVerified verificationCode verificationCodeExpires passwordResetCode passwordResetExpires stripeCustomerId stripeSubscriptionId createdAt updatedAt',
  ],
  ['sessions', 'sid sess expire'],
  ['email_verifications', 'id email code expiresAt isUsed createdAt'],
  [
    'user_settings',
    'id userId emailNotifications marketingEmails paymentAlerts campaignUpdates timezone currency businessName taxId website description createdAt updatedAt',
  ],
])('table %s has the columns of the specification', async (table, columns) => {
  expect(await columnsOf(table)).toEqual(expect.arrayContaining(columns.split(' ')));
});

// Proves ENT-11
it('removes the settings of a user together with the user', async () => {
  const { user } = await server.signIn();
  await server.ctx.db.deleteFrom('users').where('id', '=', user.id).execute();
  const left = await server.ctx.db
    .selectFrom('userSettings')
    .select('id')
    .where('userId', '=', user.id)
    .execute();
  expect(left).toEqual([]);
});

// Proves AUTH-04, SEC-17
it('refuses a code that is not a hash and a sixth try by constraints', async () => {
  const insert = async (row: { code: string; tries?: number }) =>
    await server.ctx.db
      .insertInto('emailVerifications')
      .values({ email: 'a@b.example', expiresAt: new Date(), linkExpiresAt: new Date(), ...row })
      .execute();
  await expect(insert({ code: '1234' })).rejects.toThrow('email_verifications_code_hashed');
  await expect(insert({ code: 'x'.repeat(43), tries: 6 })).rejects.toThrow('email_verifications_tries');
});
