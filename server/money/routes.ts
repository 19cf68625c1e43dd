import type { FastifyInstance } from 'fastify';
import { refuseTarget, withdrawAd } from '#domain/ads/contract.ts';
import {
  createPaymentIntent,
  findSavedCard,
  paymentsConfig,
  paymentSuccess,
  payWithSavedCard,
  sandboxAuthenticate,
  sandboxConfirm,
  sandboxOnboard,
} from '#domain/payments/contract.ts';
import {
  confirmConsent,
  createConsent,
  listConsents,
  withdrawConsent,
} from '#domain/payments/consent-contract.ts';
import { getDocumentProof, listDocuments } from '#domain/payments/document-contract.ts';
import { getLedgerLog } from '#domain/payments/log-contract.ts';
import {
  getPayouts,
  requestPayout,
  saveBankAccount,
  startOnboarding,
} from '#domain/payments/payout-contract.ts';
import { getStatement } from '#domain/payments/statement-contract.ts';
import { getAdPrice } from '#domain/payments/price-contract.ts';
import { getAdLedger } from '#domain/payments/ledger-contract.ts';
import { cancelAd, getRefundQuote, listMyPayments } from '#domain/payments/refund-contract.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { registerBillingPortal } from './checkout/billing-portal.ts';
import { adPrice } from './checkout/price.ts';
import { createIntent } from './checkout/create-intent.ts';
import { confirm } from './consents/confirm.ts';
import { create } from './consents/create.ts';
import { myConsents } from './consents/list.ts';
import { paySaved, savedCard } from './consents/saved-card.ts';
import { withdrawOwn } from './consents/withdraw.ts';
import { myDocuments } from './documents/list.ts';
import { registerDocuments } from './documents/pages.ts';
import { documentProof } from './documents/proof.ts';
import { registerWebhooks } from './events/webhooks.ts';
import { adLedger } from './ledger/ad-ledger.ts';
import { registerLedgerPages } from './transparency-log/pages.ts';
import { ledgerLog } from './transparency-log/roots.ts';
import { statement } from './transparency-log/statement.ts';
import { readPayouts } from './payouts/read.ts';
import { payOutNow } from './payouts/request.ts';
import { saveBank } from './payees/bank-account.ts';
import { beginOnboarding, onboardInSandbox } from './payees/onboard.ts';
import { withdraw } from './checkout/withdraw.ts';
import { reportSuccess } from './checkout/payment-success.ts';
import { cancel } from './refunds/cancelling/cancel.ts';
import { myPayments } from './refunds/my-payments.ts';
import { quoteRefund } from './refunds/cancelling/quote.ts';
import { refuse } from './refunds/refuse-target.ts';
import { registerSandboxPages } from './sandbox/sandbox-pages.ts';
import { answerChallenge, confirmCard } from './sandbox/sandbox.ts';

/** The sandbox's calls exist only in the sandbox, so that no real card number ever reaches our server. */
export function paymentRoutes(ctx: Context): Route[] {
  const always = [
    route(paymentsConfig, { access: 'user', right: 'figures' }, async ({ payments, config }) => ({
      provider: payments.name,
      mode: payments.mode,
      currency: config.currency,
      ...payments.clientConfig(),
      ...(config.developmentMode && { rehearsal: '/dev/rehearsal' }),
    })),
    route(createPaymentIntent, { access: 'buyer', right: 'money' }, createIntent),
    route(findSavedCard, { access: 'buyer', right: 'money' }, savedCard),
    route(payWithSavedCard, { access: 'buyer', right: 'money' }, paySaved),
    route(paymentSuccess, { access: 'buyer', right: 'money' }, reportSuccess),
    route(createConsent, { access: 'buyer', right: 'money' }, create),
    route(confirmConsent, { access: 'user', right: 'money' }, confirm),
    route(listConsents, { access: 'user', right: 'money' }, myConsents),
    route(withdrawConsent, { access: 'user', right: 'money' }, withdrawOwn),
    route(getAdLedger, { access: 'user', right: 'figures' }, adLedger),
    route(getAdPrice, { access: 'user', right: 'figures' }, adPrice),
    // A user who is no longer an advertiser still owns their earlier campaigns and payments.
    route(getRefundQuote, { access: 'user', right: 'ads' }, quoteRefund),
    route(cancelAd, { access: 'user', right: 'change' }, cancel),
    route(withdrawAd, { access: 'user', right: 'change' }, withdraw),
    route(refuseTarget, { access: 'seller', right: 'change' }, refuse),
    route(listMyPayments, { access: 'user', right: 'money' }, myPayments),
    route(getPayouts, { access: 'user', right: 'money', whileSuspended: true }, readPayouts),
    route(requestPayout, { access: 'user', right: 'money', confirmed: true }, payOutNow),
    route(startOnboarding, { access: 'user', right: 'money', confirmed: true }, beginOnboarding),
    route(saveBankAccount, { access: 'user', right: 'money', confirmed: true }, saveBank),
    route(getStatement, { access: 'user', right: 'money', whileSuspended: true }, statement),
    route(listDocuments, { access: 'user', right: 'money', whileSuspended: true }, myDocuments),
    route(
      getDocumentProof,
      { access: 'user', right: 'money', whileSuspended: true, notInView: true },
      documentProof,
    ),
    route(
      getLedgerLog,
      { access: 'anyone', public: true },
      async (ctx, _who, input) => await ledgerLog(ctx, input),
    ),
  ];
  if (ctx.payments.name !== 'sandbox') return always;
  return [
    ...always,
    route(sandboxConfirm, { access: 'buyer', right: 'money' }, confirmCard),
    route(sandboxAuthenticate, { access: 'buyer', right: 'money' }, answerChallenge),
    route(sandboxOnboard, { access: 'user', right: 'money' }, onboardInSandbox),
  ];
}

/** Pages and files about money, and the calls of the provider. */
export function paymentPages(app: FastifyInstance, ctx: Context): void {
  registerBillingPortal(app, ctx);
  registerLedgerPages(app, ctx);
  registerDocuments(app, ctx);
  registerSandboxPages(app, ctx);
  registerWebhooks(app, ctx);
}
