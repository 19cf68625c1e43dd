/**
 * The advertisers' customers at the payment provider. There is one for each user and book, because a provider does not
 * know the customers of another. `users.stripe_customer_id` of the specification has the one of the present provider.
 */
import { type Context } from '#server/platform/context.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import {
  adoptBook,
  claimCustomer,
  type CustomerRow,
  dropCustomers,
  findBuyer,
  keepCustomer,
  renewCustomer,
} from './store-customers.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';

/** The id of the user's customer at the present provider, which is created at the first payment. */
export async function customerOf(ctx: Context, userId: number): Promise<string> {
  const customer = await claimCustomer(ctx.db, userId, ctx.payments.book, ctx.now());
  try {
    return await createCustomer(ctx, customer);
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === 'idempotency_error')) throw error;
    // The first call was interrupted, and the user has changed name or address since.
    return createCustomer(ctx, await renewCustomer(ctx.db, customer));
  }
}

/** Replaces a customer that the provider does not know any more. */
export async function replaceCustomer(ctx: Context, userId: number, customerId: string): Promise<string> {
  const customer = await claimCustomer(ctx.db, userId, ctx.payments.book, ctx.now());
  return createCustomer(
    ctx,
    customer.customerId === customerId ? await renewCustomer(ctx.db, customer) : customer,
  );
}

async function createCustomer(ctx: Context, { userId, book, key, customerId }: CustomerRow): Promise<string> {
  if (customerId !== null) return customerId;
  const buyer = await findBuyer(ctx.db, userId);
  const name = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
  const metadata = { installation: await installationId(ctx.db), user_id: String(userId) };
  const { id } = await ctx.payments.createCustomer({ email: buyer.email, name, metadata }, `cus:${key}`);
  const kept = await ctx.db.transaction().execute((tx) => keepCustomer(tx, { userId, book, key }, id));
  if (kept !== null) return kept;
  await enqueue(ctx.db, 'forget-customer', { customerId: id });
  throw unauthorized();
}

/** Removes our records of a user's customers, in the transaction that deletes the account. */
export async function forgetCustomers(tx: Tx, userId: number): Promise<void> {
  await dropCustomers(tx, userId);
}

/**
 * Call at the start of the server. After a change of provider, `users.stripe_customer_id` gets the ids of the present
 * one, so that no advertiser is sent to a customer of the other.
 */
export async function adoptProvider(ctx: Context): Promise<void> {
  const { book } = ctx.payments;
  const before = await ctx.db.transaction().execute((tx) => adoptBook(tx, book));
  if (before === null) return;
  ctx.log.warn(
    { before, book },
    `Payments now go through ${book}. Those of ${before} keep their book and can only be read.`,
  );
}
