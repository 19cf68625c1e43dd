import {
  createPaymentIntent,
  paymentsConfig,
  paymentSuccess,
  sandboxAuthenticate,
  sandboxConfirm,
} from '#domain/payments/contract.ts';
import type { Context } from '../context.ts';
import { type Route, route } from '../http/route.ts';
import { createIntent } from './create-intent.ts';
import { reportSuccess } from './payment-success.ts';
import { answerChallenge, confirmCard } from './sandbox.ts';

/** The sandbox's calls exist only in the sandbox, so that no real card number ever reaches our server. */
export function paymentRoutes(ctx: Context): Route[] {
  const always = [
    route(paymentsConfig, 'user', async ({ payments, config }) => ({
      provider: payments.name,
      mode: payments.mode,
      ...payments.clientConfig(),
      ...(config.developmentMode && { rehearsal: '/dev/rehearsal' }),
    })),
    route(createPaymentIntent, 'buyer', createIntent),
    route(paymentSuccess, 'buyer', reportSuccess),
  ];
  if (ctx.payments.name !== 'sandbox') return always;
  return [
    ...always,
    route(sandboxConfirm, 'buyer', confirmCard),
    route(sandboxAuthenticate, 'buyer', answerChallenge),
  ];
}
