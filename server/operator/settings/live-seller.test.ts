import { expect, it } from 'vitest';
import { readConfig } from '#server/platform/settings/config.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { startWithSettings } from '#server/platform/database/settings.ts';

const server = useOwnServer();

const LIVE = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'a secret that has 32 characters or more',
  PUBLIC_URL: 'https://ads.example.com',
  SMTP_URL: 'smtp://mail.example.com',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
};
const SELLER = {
  SELLER_NAME: 'Slot Market GmbH',
  SELLER_ADDRESS: 'Marktstraße 1\\n10115 Berlin',
  SELLER_TAX_ID: 'DE811',
};
const start = async (env: Record<string, string>) =>
  await startWithSettings(server.ctx.db, readConfig({ ...LIVE, ...env }));

// Proves OWNS-106
it.each(Object.keys(SELLER))('refuses the live mode without %s', async (name) => {
  const { [name as keyof typeof SELLER]: _, ...others } = SELLER;
  await expect(start(others)).rejects.toThrow(new RegExp(`^${name} is required with a live key`));
});

// Proves OWNS-106
it('starts in the live mode with them, from the environment or the database', async () => {
  await expect(start(SELLER)).resolves.toBeUndefined();
  const { SELLER_NAME, ...others } = SELLER;
  await server.ctx.db
    .insertInto('settings')
    .values({ name: 'SELLER_NAME', value: SELLER_NAME, changedAt: new Date() })
    .execute();
  await expect(start(others)).resolves.toBeUndefined();
});

// Proves OWNS-106
it('asks for none of them in the test mode', async () => {
  const test = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  await expect(start({ ...test, SELLER_NAME: '' })).resolves.toBeUndefined();
});
