/** Acts about tax: the table of rates, and what was paid to a state and by it. */
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { setTaxTable } from '#server/operator/settings/tax-table.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import type { Client } from '../client.ts';
import { makeEarned } from '../money/payouts.ts';
import type { TestServer } from '../server.ts';
import { type Occasion, person, type Rows, type World } from './world.ts';

const TABLE = '{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}}}';

export const TAX_OPTIONS = {
  start: new Date('2026-03-02T10:00:00Z'),
  env: { SELF_BILLING: 'on', PUBLISHER_TAX: 'on_top', SELLER_NAME: 'Slot Market GmbH' },
};

/** Puts the table in force that the acts are about. */
export async function prepareTax({ ctx }: TestServer): Promise<void> {
  await setTaxTable(ctx, { id: null }, { table: TABLE, reason: 'For a test' });
  await readSettings(ctx.db, ctx.config);
}

async function from(world: World, settings: object): Promise<Client> {
  const someone = await person(world);
  await someone.patch('/api/user/settings', settings);
  return someone;
}

const german: Occasion = {
  page: '/operator/books',
  hidden: { country: 'DE', rate: '19.00' },
  about: 'Germany, 19.00%',
};

/** A sale to Germany, whose tax is owed. */
async function sale(world: World): Promise<Occasion> {
  const buyer = await from(world, { country: 'DE' });
  await makeEarned(world.server, await person(world), buyer, { price: '119.00' });
  return german;
}

/** A document of a German publisher, whose tax the state owes. */
async function selfBilling(world: World): Promise<Occasion> {
  const publisher = await from(world, {
    country: 'DE',
    address: 'Hauptstraße 5\n50667 Köln',
    agreesToSelfBilling: true,
    taxStatus: 'business',
    chargesTax: true,
    taxId: 'DE123456789',
  });
  const { server } = world;
  await makeEarned(server, publisher, await from(world, { country: 'US' }), { price: '100.00' });
  server.clock.set(new Date('2026-04-01T00:01:30Z'));
  await makeMonthlyDocuments(server.ctx);
  return german;
}

export const TAX: Rows = {
  '/operator/books/tax-paid': { acts: ['pay-tax'], on: sale },
  '/operator/books/tax-refunded': { acts: ['refund-tax'], on: selfBilling },
  '/operator/tax': {
    acts: ['change-tax-table'],
    right: 'owner',
    // The act that removes the table. The editor of the page sends the same call with another one.
    on: async () => await Promise.resolve({ page: '/operator/tax', hidden: { table: '' } }),
  },
};
