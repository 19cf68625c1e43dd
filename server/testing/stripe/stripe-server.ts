/**
 * A stand-in for Stripe on this machine, for tests only. It speaks Stripe's API over HTTP, so that the official client
 * and our adapter run unchanged, and checks every request against Stripe's contract. No money moves.
 */
import type { AddressInfo } from 'node:net';
import {
  ACCOUNT_SECRET,
  type AccountOptions,
  CONNECT_SECRET,
  openAccount,
  type Parameters,
  type StripeObject,
  type Webhooks,
} from './account.ts';
import { openDashboard } from './dashboard.ts';
import { openDisputes } from './disputes.ts';
import { createListener, type Fault } from './http.ts';
import { openTill } from './intents.ts';
import { openPayees } from './payees.ts';
import { openRefunds } from './refunds.ts';
import { openSavedCards } from './saved-cards.ts';
import { openTransfers } from './transfers.ts';

export type { Fault } from './http.ts';

export type StripeServer = {
  url: string;
  /** Values for STRIPE_… settings. */
  env: Record<string, string>;
  /** Requests that break Stripe's contract. `close` throws if there is one. */
  violations: string[];
  /** Every request as 'METHOD /path', with its idempotency key. */
  requests: { call: string; key: string | undefined; parameters: Parameters }[];
  faults: Fault[];
  /** Every event so far, as Stripe keeps them. */
  events: StripeObject[];
  /** Events are sent to these addresses. While `isLost` is true, they are only kept as undelivered. */
  webhooks: Webhooks;
  /** The webhook endpoints that the dashboard would show. */
  endpoints: StripeObject[];
  object: (id: string) => StripeObject;
  /** Confirms a payment as the card form in the browser does. */
  pay: (clientSecret: string, number: string) => StripeObject;
  /** Saves a card as the card form in the browser does. */
  saveCard: (clientSecret: string, number: string) => StripeObject;
  authenticateSetup: (clientSecret: string, outcome: 'complete' | 'fail') => StripeObject;
  authenticate: (clientSecret: string, outcome: 'complete' | 'fail') => StripeObject;
  /** A bank that takes its time: the intent is `processing` until `settle`. */
  process: (clientSecret: string) => StripeObject;
  settle: (intentId: string) => StripeObject;
  /** Makes the fees of all charges known, which happens some time after the charge. */
  makeFeesKnown: () => void;
  /** The refunds to come are `pending` until `settleRefund`. */
  refundsPending: boolean;
  /** Refunds a part of a payment in the dashboard. */
  refundOutside: (intentId: string, amount: number) => StripeObject;
  settleRefund: (id: string, status: 'succeeded' | 'failed') => void;
  dispute: (intentId: string, status?: string) => StripeObject;
  closeDispute: (id: string, status: string) => void;
  appeal: (id: string) => void;
  warnOfFraud: (intentId: string) => StripeObject;
  openReview: (intentId: string) => StripeObject;
  closeReview: (id: string, reason: string) => void;
  finishOnboarding: (payeeId: string) => void;
  /** Pays the balance of a connected account out to its bank, and returns the payout's id. */
  payBank: (payeeId: string) => string;
  /** The bank sends the last payout back. */
  failBank: (payeeId: string) => void;
  /** The account needs documents again, so it can receive no transfers. */
  restrictPayee: (payeeId: string) => void;
  /** The account is paid out to the bank account with this fingerprint from now on. */
  movePayouts: (payeeId: string, destination: string) => void;
  /** The owner of an account withdraws it from us. */
  withdrawPayee: (payeeId: string) => void;
  /** Sends an event again, also to an endpoint that has it. */
  send: (event: StripeObject) => Promise<void>;
  /** Waits until the events that are on their way have arrived. */
  delivered: () => Promise<void>;
  sign: (body: string, secret?: string, at?: Date) => string;
  close: () => Promise<void>;
};

const SECRET_KEY = 'sk_test_of_the_stand_in';

export async function startStripeServer(options: AccountOptions = {}): Promise<StripeServer> {
  const account = openAccount(options);
  const url = () => server.url;
  const till = openTill(account);
  const savedCards = openSavedCards(account, till);
  const refunds = openRefunds(account, () => server.refundsPending);
  const disputes = openDisputes(account);
  const payees = openPayees(account, url);
  const transfers = openTransfers(account);
  const dashboard = openDashboard(account, url);
  const desk: Pick<StripeServer, 'requests' | 'violations' | 'faults'> = {
    requests: [],
    violations: [],
    faults: [],
  };
  const operations = {
    ...till.operations,
    ...savedCards.operations,
    ...refunds.operations,
    ...disputes.operations,
    ...payees.operations,
    ...transfers.operations,
    ...dashboard.operations,
  };
  const listener = createListener({ ...desk, account, till, operations, secretKey: SECRET_KEY });

  const server: StripeServer = {
    ...desk,
    url: '',
    env: {},
    events: account.events,
    get webhooks() {
      return account.webhooks;
    },
    set webhooks(webhooks) {
      account.webhooks = webhooks;
    },
    endpoints: dashboard.endpoints,
    object: (id) => account.get(id),
    pay: till.pay,
    saveCard: savedCards.save,
    authenticateSetup: savedCards.authenticate,
    authenticate: till.authenticate,
    process: till.process,
    settle: till.settle,
    makeFeesKnown: till.makeFeesKnown,
    refundsPending: false,
    refundOutside: refunds.refundOutside,
    settleRefund: refunds.settleRefund,
    dispute: disputes.dispute,
    closeDispute: disputes.closeDispute,
    appeal: disputes.appeal,
    warnOfFraud: disputes.warnOfFraud,
    openReview: disputes.openReview,
    closeReview: disputes.closeReview,
    finishOnboarding: payees.finishOnboarding,
    payBank: transfers.payBank,
    failBank: transfers.failBank,
    restrictPayee: payees.restrictPayee,
    movePayouts: payees.movePayouts,
    withdrawPayee: payees.withdrawPayee,
    send: account.send,
    delivered: account.delivered,
    sign: account.sign,
    close: async () => {
      await server.delivered();
      listener.closeAllConnections();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
      if (server.violations.length > 0)
        throw new Error(`Stripe would refuse:\n${server.violations.join('\n')}`);
    },
  };
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  server.env = {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_stand_in',
    STRIPE_WEBHOOK_SECRET: ACCOUNT_SECRET,
    STRIPE_CONNECT_WEBHOOK_SECRET: CONNECT_SECRET,
    STRIPE_API_BASE: server.url,
  };
  return server;
}
