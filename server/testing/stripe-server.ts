/**
 * A stand-in for Stripe on this machine, for tests only. It speaks Stripe's API over HTTP, so that the official client
 * and our adapter run unchanged, and checks every request against Stripe's contract. No money moves.
 */
import { createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxOutcome } from '#domain/payments/sandbox-cards.ts';
import { CONTRACT, findOperation, readForm, violationsOf } from './stripe-contract.ts';

type Parameters = Record<string, unknown>;
type StripeObject = Record<string, unknown> & { id: string; object: string };
/** The parts of an answer that is kept under an idempotency key. */
type Kept = { parameters: string; status: number; body: string } | 'running';

/** How the stand-in treats the next requests. */
export type Fault = {
  /** Only requests whose 'METHOD /path' contains this text. */
  on: string;
  /**
   * `fails_before` and `fails_after` answer 500 without and with having acted. `hangs_before` and `hangs_after` never
   * answer, `breaks` closes the connection after it has acted.
   */
  how: 'rate_limited' | 'fails_before' | 'fails_after' | 'hangs_before' | 'hangs_after' | 'breaks' | 'slow';
  /** How often; once if absent. */
  times?: number;
};

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
  webhooks: { account?: string; connect?: string; isLost: boolean };
  /** The webhook endpoints that the dashboard would show. */
  endpoints: StripeObject[];
  object: (id: string) => StripeObject;
  /** Confirms a payment as the card form in the browser does. */
  pay: (clientSecret: string, number: string) => StripeObject;
  authenticate: (clientSecret: string, outcome: 'complete' | 'fail') => StripeObject;
  /** A bank that takes its time: the intent is `processing` until `settle`. */
  process: (clientSecret: string) => StripeObject;
  settle: (intentId: string) => StripeObject;
  /** Makes the fees of all charges known, which happens some time after the charge. */
  makeFeesKnown: () => void;
  /** The refunds to come are `pending` until `settleRefund`. */
  refundsPending: boolean;
  settleRefund: (id: string, status: 'succeeded' | 'failed') => void;
  dispute: (intentId: string, status?: string) => StripeObject;
  closeDispute: (id: string, status: 'won' | 'lost') => void;
  warnOfFraud: (intentId: string) => StripeObject;
  finishOnboarding: (payeeId: string) => void;
  /** The account needs documents again, so it can receive no transfers. */
  restrictPayee: (payeeId: string) => void;
  /** The owner of an account withdraws it from us. */
  withdrawPayee: (payeeId: string) => void;
  /** The ids of accounts that cannot be closed. */
  accountsWithMoney: Set<string>;
  /** Sends an event again, also to an endpoint that has it. */
  send: (event: StripeObject) => Promise<void>;
  /** Waits until the events that are on their way have arrived. */
  delivered: () => Promise<void>;
  sign: (body: string, secret?: string, at?: Date) => string;
  close: () => Promise<void>;
};

const ACCOUNT_SECRET = 'whsec_account_of_the_stand_in';
const CONNECT_SECRET = 'whsec_connect_of_the_stand_in';

class Refused extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export async function startStripeServer(
  options: { now?: () => Date; feeCurrency?: { currency: string; rate: number } } = {},
): Promise<StripeServer> {
  const now = options.now ?? (() => new Date());
  const seconds = () => Math.floor(now().getTime() / 1000);
  const objects = new Map<string, StripeObject>();
  const keys = new Map<string, Kept>();
  const sending = new Set<Promise<void>>();
  let number = 0;

  // Ids grow, so that lists are sorted by them, and cannot be guessed.
  const newId = (prefix: string) =>
    `${prefix}_${String(++number).padStart(6, '0')}${randomBytes(8).toString('hex')}`;
  const all = (kind: string) => [...objects.values()].filter(({ object }) => object === kind).toReversed();

  function add<T extends StripeObject>(object: T): T {
    objects.set(object.id, object);
    return object;
  }

  function get(id: unknown, kind?: string): StripeObject {
    const object = objects.get(String(id));
    if (!object || (kind !== undefined && object.object !== kind)) {
      throw new Refused(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${kind ?? 'object'}: '${String(id)}'`,
      });
    }
    return object;
  }

  /* Events */

  function tell(type: string, object: StripeObject, account?: string): void {
    const event: StripeObject = {
      id: newId('evt'),
      object: 'event',
      api_version: CONTRACT.apiVersion,
      ...(account !== undefined && { account }),
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      type,
      data: { object: structuredClone(view(object)) },
    };
    server.events.push(event);
    if (!server.webhooks.isLost) void server.send(event);
  }

  async function send(event: StripeObject): Promise<void> {
    const target = 'account' in event ? server.webhooks.connect : server.webhooks.account;
    if (target === undefined) return;
    // Stripe sends indented JSON, so a receiver that parses and writes it again computes another signature.
    const body = JSON.stringify(event, null, 2);
    const secret = 'account' in event ? CONNECT_SECRET : ACCOUNT_SECRET;
    const arrival = (async () => {
      try {
        const { ok } = await fetch(target, {
          method: 'POST',
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'stripe-signature': sign(body, secret),
          },
          body,
        });
        if (ok) event['pending_webhooks'] = 0;
      } catch {
        // The endpoint is away. Stripe keeps the event as undelivered, too.
      }
    })();
    sending.add(arrival);
    await arrival;
    sending.delete(arrival);
  }

  function sign(body: string, secret = ACCOUNT_SECRET, at = now()): string {
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    return `t=${timestamp},v1=${signature}`;
  }

  /* Money */

  function move(type: string, amount: number, fee: number, source: string): StripeObject {
    const { currency, rate } = options.feeCurrency ?? { currency: 'usd', rate: 1 };
    const settled = Math.round(amount * rate);
    return add({
      id: newId('txn'),
      object: 'balance_transaction',
      type,
      source,
      amount: settled,
      fee,
      net: settled - fee,
      currency,
      exchange_rate: options.feeCurrency ? rate : null,
      created: seconds(),
      available_on: seconds() + 2 * 86_400,
      status: 'pending',
      reporting_category: type,
    });
  }

  function charge(intent: StripeObject, number: string, failure: Refused | null): StripeObject {
    const card = {
      brand: number.startsWith('5') ? 'mastercard' : 'visa',
      last4: number.slice(-4),
      // Like Stripe's, it names the card without being its number.
      fingerprint: createHmac('sha256', 'stand-in').update(number).digest('base64url').slice(0, 16),
    };
    const made = add({
      id: newId('ch'),
      object: 'charge',
      amount: intent['amount'],
      amount_refunded: 0,
      currency: intent['currency'],
      created: seconds(),
      status: failure ? 'failed' : 'succeeded',
      paid: !failure,
      payment_intent: intent.id,
      customer: intent['customer'],
      metadata: intent['metadata'],
      transfer_group: intent['transfer_group'],
      balance_transaction: null,
      payment_method_details: { type: 'card', card },
    });
    intent['latest_charge'] = made.id;
    return made;
  }

  function succeed(intent: StripeObject, number: string): StripeObject {
    charge(intent, number, null);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      last_payment_error: null,
      next_action: null,
    });
    tell('payment_intent.succeeded', intent);
    return intent;
  }

  function decline(intent: StripeObject, number: string, error: Record<string, unknown>): never {
    const refused = new Refused(402, { type: 'card_error', message: '', ...error });
    const { payment_method_details: details } = charge(intent, number, refused) as unknown as {
      payment_method_details: { card: object };
    };
    intent['status'] = 'requires_payment_method';
    intent['last_payment_error'] = {
      type: 'card_error',
      ...error,
      payment_method: { id: newId('pm'), object: 'payment_method', type: 'card', card: details.card },
    };
    tell('payment_intent.payment_failed', intent);
    throw new Refused(402, { ...refused.error, type: 'card_error', message: String(error['message']) });
  }

  function intentOf(clientSecret: string): StripeObject {
    const intent = get(clientSecret.split('_secret_')[0], 'payment_intent');
    if (intent['client_secret'] !== clientSecret)
      throw new Refused(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such payment_intent',
      });
    return intent;
  }

  function requirePayable(intent: StripeObject): void {
    if (['succeeded', 'canceled', 'processing'].includes(String(intent['status']))) {
      throw new Refused(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent's status is ${String(intent['status'])}.`,
      });
    }
  }

  function pay(clientSecret: string, number: string): StripeObject {
    const intent = intentOf(clientSecret);
    requirePayable(intent);
    const digits = number.replaceAll(/\D/g, '');
    const outcome = sandboxOutcome(digits);
    if (outcome.result === 'declined') {
      const { code, declineCode, message } = outcome;
      return decline(intent, digits, { code, ...(declineCode && { decline_code: declineCode }), message });
    }
    if (outcome.result === 'requires_action') {
      cards.set(intent.id, digits);
      Object.assign(intent, {
        status: 'requires_action',
        next_action: { type: 'use_stripe_sdk' },
        last_payment_error: null,
      });
      return intent;
    }
    return succeed(intent, digits);
  }
  const cards = new Map<string, string>();

  function authenticate(clientSecret: string, outcome: 'complete' | 'fail'): StripeObject {
    const intent = intentOf(clientSecret);
    requirePayable(intent);
    const card = cards.get(intent.id) ?? '4242424242424242';
    if (outcome === 'complete') return succeed(intent, card);
    return decline(intent, card, {
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different one and try again.',
    });
  }

  function makeFeesKnown(): void {
    for (const one of all('charge').toReversed()) {
      if (one['balance_transaction'] !== null || one['status'] !== 'succeeded') continue;
      const amount = Number(one['amount']);
      one['balance_transaction'] = move('charge', amount, Math.round(amount * 0.029) + 30, one.id).id;
      tell('charge.updated', one);
    }
  }

  function settleRefund(id: string, status: 'succeeded' | 'failed'): void {
    const refund = get(id, 'refund');
    const amount = Number(refund['amount']);
    if (status === 'succeeded') {
      refund['balance_transaction'] ??= move('refund', -amount, 0, id).id;
    } else {
      if (refund['balance_transaction'] !== null)
        refund['failure_balance_transaction'] = move('refund_failure', amount, 0, id).id;
      refund['failure_reason'] = 'expired_or_canceled_card';
      const charged = get(refund['charge'], 'charge');
      charged['amount_refunded'] = Number(charged['amount_refunded']) - amount;
    }
    refund['status'] = status;
    tell(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  function dispute(intentId: string, status = 'needs_response'): StripeObject {
    const intent = get(intentId, 'payment_intent');
    const amount = Number(intent['amount']);
    const isInquiry = status.startsWith('warning');
    const made = add({
      id: newId('dp'),
      object: 'dispute',
      amount,
      currency: intent['currency'],
      charge: intent['latest_charge'],
      payment_intent: intentId,
      status,
      reason: 'fraudulent',
      created: seconds(),
      metadata: {},
      evidence_details: {
        due_by: seconds() + 7 * 86_400,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      balance_transactions: [] as StripeObject[],
    });
    tell('charge.dispute.created', made);
    if (!isInquiry) {
      made.balance_transactions.push(move('adjustment', -amount, 1500, made.id));
      tell('charge.dispute.funds_withdrawn', made);
    }
    return made;
  }

  function closeDispute(id: string, status: 'won' | 'lost'): void {
    const disputed = get(id, 'dispute') as StripeObject & { balance_transactions: StripeObject[] };
    disputed['status'] = status;
    if (status === 'won') {
      disputed.balance_transactions.push(move('adjustment', Number(disputed['amount']), -1500, id));
      tell('charge.dispute.funds_reinstated', disputed);
    }
    tell('charge.dispute.closed', disputed);
  }

  function reviewPayee(payeeId: string, status: 'active' | 'restricted', asked: string[]): void {
    const account = get(payeeId, 'v2.core.account');
    const transfers = { requested: true, status, status_details: [] };
    Object.assign(account, {
      configuration: {
        recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: transfers } } },
      },
      requirements: {
        entries: asked.map((description) => ({ awaiting_action_from: 'user', description })),
      },
    });
    tell('account.updated', account, payeeId);
  }

  /* Calls */

  const metadataOf = (parameters: Parameters) => (parameters['metadata'] ?? {}) as Record<string, string>;

  const operations: Record<string, (parameters: Parameters, ids: string[]) => unknown> = {
    'POST /v1/customers': ({ email, name, ...rest }) =>
      add({
        id: newId('cus'),
        object: 'customer',
        email: email ?? null,
        name: name ?? null,
        metadata: metadataOf(rest),
        created: seconds(),
        livemode: false,
      }),

    'DELETE /v1/customers/{id}': (_, [id]) => {
      get(id, 'customer');
      objects.delete(String(id));
      return { id, object: 'customer', deleted: true };
    },

    'POST /v1/payment_intents': (given) => {
      const amount = Number(given['amount']);
      if (amount < 50) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          code: 'amount_too_small',
          message: 'Amount must be at least $0.50 usd',
          param: 'amount',
        });
      }
      if (given['customer'] !== undefined) get(given['customer'], 'customer');
      const id = newId('pi');
      const intent = add({
        id,
        object: 'payment_intent',
        amount,
        amount_received: 0,
        automatic_payment_methods: { enabled: true },
        capture_method: 'automatic_async',
        client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        created: seconds(),
        currency: given['currency'],
        customer: given['customer'] ?? null,
        description: given['description'] ?? null,
        last_payment_error: null,
        latest_charge: null,
        livemode: false,
        metadata: metadataOf(given),
        next_action: null,
        status: 'requires_payment_method',
        transfer_group: given['transfer_group'] ?? null,
      });
      tell('payment_intent.created', intent);
      return intent;
    },
    'GET /v1/payment_intents': (given) => pageOf(all('payment_intent'), given, '/v1/payment_intents'),
    'GET /v1/payment_intents/{id}': (_, [id]) => get(id, 'payment_intent'),
    'POST /v1/payment_intents/{id}/cancel': (_, [id]) => {
      const intent = get(id, 'payment_intent');
      requirePayable(intent);
      intent['status'] = 'canceled';
      tell('payment_intent.canceled', intent);
      return intent;
    },

    'POST /v1/refunds': (given) => {
      const intent = get(given['payment_intent'], 'payment_intent');
      const charged = intent['latest_charge'] === null ? null : get(intent['latest_charge'], 'charge');
      if (!charged || charged['status'] !== 'succeeded') {
        throw new Refused(400, {
          type: 'invalid_request_error',
          message: `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
        });
      }
      const left = Number(charged['amount']) - Number(charged['amount_refunded']);
      const amount = given['amount'] === undefined ? left : Number(given['amount']);
      if (left === 0) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          code: 'charge_already_refunded',
          message: `Charge ${charged.id} has already been refunded.`,
        });
      }
      if (amount > left) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
          param: 'amount',
        });
      }
      const isDisputed = all('dispute').some(
        ({ charge, status }) => charge === charged.id && !/^(warning|won)/.test(String(status)),
      );
      if (isDisputed) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          code: 'charge_disputed',
          message: `Charge ${charged.id} has been charged back; cannot issue a refund.`,
        });
      }
      charged['amount_refunded'] = Number(charged['amount_refunded']) + amount;
      const refund = add({
        id: newId('re'),
        object: 'refund',
        amount,
        currency: charged['currency'],
        charge: charged.id,
        payment_intent: intent.id,
        status: 'pending',
        created: seconds(),
        metadata: metadataOf(given),
        reason: null,
        balance_transaction: null as string | null,
      });
      if (!server.refundsPending) {
        refund.balance_transaction = move('refund', -amount, 0, refund.id).id;
        refund.status = 'succeeded';
      }
      tell('refund.created', refund);
      return refund;
    },
    'GET /v1/refunds': (given) =>
      pageOf(
        all('refund').filter(({ payment_intent: of }) => of === given['payment_intent']),
        given,
        '/v1/refunds',
      ),
    'GET /v1/refunds/{id}': (_, [id]) => get(id, 'refund'),

    'GET /v1/disputes/{id}': (_, [id]) => get(id, 'dispute'),
    'GET /v1/radar/early_fraud_warnings/{id}': (_, [id]) => get(id, 'radar.early_fraud_warning'),

    'POST /v1/transfers': (given) => {
      const source = get(given['source_transaction'], 'charge');
      const account = get(given['destination'], 'v2.core.account');
      const amount = Number(given['amount']);
      const sent = all('transfer')
        .filter(({ source_transaction: of }) => of === source.id)
        .reduce((sum, { amount: one }) => sum + Number(one), 0);
      if (transfersOf(account) !== 'active') {
        throw new Refused(400, {
          type: 'invalid_request_error',
          code: 'insufficient_capabilities_for_transfer',
          message:
            'Your destination account needs to have at least one of the following capabilities enabled: transfers',
        });
      }
      if (sent + amount > Number(source['amount'])) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          message: 'Sum of transfers cannot exceed the source charge amount.',
          param: 'amount',
        });
      }
      const id = newId('tr');
      const made = add({
        id,
        object: 'transfer',
        amount,
        amount_reversed: 0,
        currency: given['currency'],
        destination: account.id,
        source_transaction: source.id,
        transfer_group: given['transfer_group'] ?? null,
        metadata: metadataOf(given),
        created: seconds(),
        balance_transaction: move('transfer', -amount, 0, id).id,
      });
      tell('transfer.created', made);
      return made;
    },

    'GET /v1/events': (given) => {
      const wanted = server.events
        .toReversed()
        .filter(
          ({ pending_webhooks: pending }) =>
            given['delivery_success'] === undefined ||
            (given['delivery_success'] === 'true') === (pending === 0),
        );
      return pageOf(wanted, given, '/v1/events');
    },
    'GET /v1/balance_transactions': (given) =>
      pageOf(all('balance_transaction'), given, '/v1/balance_transactions'),

    'POST /v1/billing_portal/sessions': (given) => {
      get(given['customer'], 'customer');
      if (given['configuration'] === undefined) {
        throw new Refused(400, {
          type: 'invalid_request_error',
          message:
            "You can't create a portal session in test mode until you save your customer portal settings in test mode.",
        });
      }
      get(given['configuration'], 'billing_portal.configuration');
      const id = newId('bps');
      return { ...given, id, object: 'billing_portal.session', url: `${server.url}/portal/${id}` };
    },
    'GET /v1/billing_portal/configurations': (given) =>
      pageOf(all('billing_portal.configuration'), given, '/v1/billing_portal/configurations'),
    'POST /v1/billing_portal/configurations': (given) =>
      add({
        ...given,
        id: newId('bpc'),
        object: 'billing_portal.configuration',
        active: true,
        created: seconds(),
        metadata: metadataOf(given),
      }),

    'GET /v1/payment_method_domains': (given) =>
      pageOf(
        all('payment_method_domain').filter(({ domain_name: name }) => name === given['domain_name']),
        given,
        '/v1/payment_method_domains',
      ),
    'POST /v1/payment_method_domains': ({ domain_name: name }) =>
      add({
        id: newId('pmd'),
        object: 'payment_method_domain',
        domain_name: name,
        enabled: true,
        created: seconds(),
        apple_pay: { status: 'active' },
        google_pay: { status: 'active' },
        link: { status: 'active' },
      }),
    'GET /v1/webhook_endpoints': (given) => pageOf(server.endpoints, given, '/v1/webhook_endpoints'),

    'POST /v2/core/accounts': (given) => {
      const account = add({
        id: newId('acct'),
        object: 'v2.core.account',
        contact_email: given['contact_email'],
        display_name: given['display_name'],
        identity: given['identity'],
        metadata: metadataOf(given),
        created: now().toISOString(),
        livemode: false,
        configuration: {
          recipient: {
            applied: true,
            capabilities: {
              stripe_balance: {
                stripe_transfers: { requested: true, status: 'restricted', status_details: [] },
              },
            },
          },
        },
        requirements: {
          entries: [
            { awaiting_action_from: 'user', description: 'identity.individual.date_of_birth' },
            { awaiting_action_from: 'user', description: 'defaults.payout_method' },
          ],
        },
      });
      tell('account.updated', account, account.id);
      return account;
    },
    'GET /v2/core/accounts/{id}': (_, [id]) => get(id, 'v2.core.account'),
    'POST /v2/core/accounts/{id}/close': (_, [id]) => {
      const account = get(id, 'v2.core.account');
      if (server.accountsWithMoney.has(account.id)) {
        throw new Refused(400, {
          type: 'cannot_proceed',
          code: 'account_balance_not_zero',
          message: 'The account has a balance, so it cannot be closed.',
        });
      }
      account['closed'] = true;
      return account;
    },
    'POST /v2/core/account_links': (given) => {
      get(given['account'], 'v2.core.account');
      return {
        object: 'v2.core.account_link',
        account: given['account'],
        url: `${server.url}/onboarding/${newId('link')}`,
        created: now().toISOString(),
        expires_at: new Date(now().getTime() + 5 * 60_000).toISOString(),
        livemode: false,
      };
    },
  };

  function pageOf(items: readonly StripeObject[], given: Parameters, url: string): object {
    const { gte } = (given['created'] ?? {}) as { gte?: string };
    const recent = items.filter(({ created }) => gte === undefined || Number(created) >= Number(gte));
    const start = recent.findIndex(({ id }) => id === given['starting_after']) + 1;
    const limit = Number(given['limit'] ?? 10);
    const data = recent.slice(start, start + limit);
    return { object: 'list', url, has_more: recent.length > start + limit, data };
  }

  /** Replaces the ids that Stripe always sends as objects, and those that the request wants expanded. */
  function view(value: unknown, expand: string[] = []): unknown {
    const object = { ...(value as Record<string, unknown>) };
    for (const part of expand) {
      const [name = '', ...rest] = part.split('.');
      const inner = object[name];
      const deeper = rest.length > 0 ? [rest.join('.')] : [];
      if (name === 'data' && Array.isArray(inner)) object[name] = inner.map((one) => view(one, deeper));
      else if (typeof inner === 'string') object[name] = view(get(inner), deeper);
    }
    return object;
  }

  /* HTTP */

  const listener = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
      if (pathname === '/stand-in/bank') return answerAtBank(response, searchParams);
      if (pathname.startsWith('/stand-in/')) return answerBrowser(request, response, pathname, body);
      return await answerClient(request, response, { pathname, query: searchParams.toString(), body });
    })();
  });

  /** The calls of the stand-in for js.stripe.com, which runs on another origin. */
  function answerBrowser(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    pathname: string,
    body: string,
  ): void {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    if (request.method === 'OPTIONS') return void response.end();
    const given = JSON.parse(body) as {
      clientSecret: string;
      number?: string;
      outcome?: 'complete' | 'fail';
    };
    try {
      const call = {
        '/stand-in/confirm': () => server.pay(given.clientSecret, given.number ?? ''),
        '/stand-in/authenticate': () => server.authenticate(given.clientSecret, given.outcome ?? 'fail'),
        '/stand-in/process': () => server.process(given.clientSecret),
        '/stand-in/retrieve': () => intentOf(given.clientSecret),
      }[pathname];
      if (!call) return send404(response);
      const { id, status, last_payment_error: error } = call();
      return reply(response, 200, { paymentIntent: { id, status, last_payment_error: error } });
    } catch (error) {
      if (error instanceof Refused) return reply(response, 200, { error: error.error });
      throw error;
    }
  }

  /** The page of a bank to which the browser is sent, and which sends it back as Stripe does. */
  function answerAtBank(response: http.ServerResponse, query: URLSearchParams): void {
    const clientSecret = query.get('clientSecret') ?? '';
    const outcome = query.get('outcome');
    if (outcome === null) {
      const link = (name: string, value: string) =>
        `<a href="/stand-in/bank?${new URLSearchParams([...query, ['outcome', value]]).toString()}">${name}</a>`;
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end(`<!doctype html>${link('Confirm', 'complete')} ${link('Refuse', 'fail')}`);
    }
    try {
      server.authenticate(clientSecret, outcome === 'complete' ? 'complete' : 'fail');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    const back = new URL(query.get('returnUrl') ?? '');
    back.searchParams.set('payment_intent', clientSecret.split('_secret_')[0] ?? '');
    back.searchParams.set('payment_intent_client_secret', clientSecret);
    // Stripe's word is not proof. The stand-in always says so, so that a page that believes it fails a test.
    back.searchParams.set('redirect_status', 'succeeded');
    response.writeHead(303, { location: back.href });
    response.end();
  }

  async function answerClient(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { pathname, query, body }: { pathname: string; query: string; body: string },
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const key = request.headers['idempotency-key'] as string | undefined;
    const isV2 = pathname.startsWith('/v2/');
    const parameters =
      method === 'POST' && isV2
        ? (JSON.parse(body || '{}') as Parameters)
        : readForm(method === 'POST' ? body : query);
    const found = findOperation(method, pathname);
    server.requests.push({ call: `${method} ${pathname}`, key, parameters });
    check(request, { found: found?.call, method, pathname, parameters, key });
    const operation = found && operations[found.call];
    if (!operation) return send404(response);
    if (!hasOurKey(request)) {
      const message = `Invalid API Key provided: ${request.headers.authorization?.slice(7)}`;
      return reply(response, 401, { error: { type: 'invalid_request_error', message } });
    }

    const fault = takeFault(`${method} ${pathname}`);
    if (fault === 'rate_limited') {
      return reply(response, 429, {
        error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' },
      });
    }
    if (fault === 'fails_before') return reply(response, 500, FAILURE);
    if (fault === 'hangs_before') return;
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 200));

    const same = JSON.stringify([method, pathname, parameters]);
    const kept = method === 'POST' && key !== undefined ? keys.get(key) : undefined;
    if (kept === 'running') {
      return reply(response, 409, {
        error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'The key is in use.' },
      });
    }
    if (kept && kept.parameters !== same) {
      return reply(response, 400, {
        error: {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${String(key)}'.`,
        },
      });
    }
    if (kept) {
      response.setHeader('idempotent-replayed', 'true');
      return reply(response, kept.status, kept.body);
    }
    const { status, answer } = act(operation, parameters, found.ids);
    const hasFailed = fault === 'fails_after';
    const result = {
      status: hasFailed ? 500 : status,
      body: JSON.stringify(hasFailed ? FAILURE : answer),
    };
    // Stripe keeps the result of what it has begun, also a 500, but no refusal of wrong parameters.
    if (method === 'POST' && key !== undefined && (result.status === 200 || result.status >= 500))
      keys.set(key, { parameters: same, ...result });
    if (fault === 'hangs_after') return;
    if (fault === 'breaks') return void response.socket?.destroy();
    reply(response, result.status, result.body);
  }

  function act(
    operation: NonNullable<(typeof operations)[string]>,
    parameters: Parameters,
    ids: string[],
  ): { status: number; answer: unknown } {
    try {
      const answer = view(operation(parameters, ids), (parameters['expand'] ?? []) as string[]);
      return { status: 200, answer };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, answer: { error: error.error } };
    }
  }

  function check(
    request: http.IncomingMessage,
    {
      found,
      method,
      pathname,
      parameters,
      key,
    }: {
      found: string | undefined;
      method: string;
      pathname: string;
      parameters: Parameters;
      key: string | undefined;
    },
  ): void {
    const call = `${method} ${pathname}`;
    const say = (text: string) => server.violations.push(text);
    if (found === undefined) say(`${call} is not in the contract`);
    else violationsOf(found, parameters).forEach(say);
    if (request.headers['stripe-version'] !== CONTRACT.apiVersion)
      say(`${call} has the API version ${String(request.headers['stripe-version'])}`);
    if (!hasOurKey(request)) say(`${call} has the wrong key`);
    // The client makes up keys of its own, which begin with its name.
    if (method === 'POST' && (key === undefined || /^stripe-node-retry|^[\da-f-]{36}$/.test(key)))
      say(`${call} has no idempotency key of ours`);
  }

  function hasOurKey(request: http.IncomingMessage): boolean {
    return request.headers.authorization === `Bearer ${server.env['STRIPE_SECRET_KEY']}`;
  }

  function takeFault(call: string): Fault['how'] | undefined {
    const fault = server.faults.find(({ on }) => call.includes(on));
    if (!fault) return undefined;
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) server.faults.splice(server.faults.indexOf(fault), 1);
    return fault.how;
  }

  const server: StripeServer = {
    url: '',
    env: {},
    violations: [],
    requests: [],
    faults: [],
    events: [],
    webhooks: { isLost: false },
    endpoints: [],
    object: (id) => get(id),
    pay,
    authenticate,
    process: (clientSecret) => {
      const intent = intentOf(clientSecret);
      requirePayable(intent);
      intent['status'] = 'processing';
      tell('payment_intent.processing', intent);
      return intent;
    },
    settle: (intentId) => succeed(get(intentId, 'payment_intent'), '4242424242424242'),
    makeFeesKnown,
    refundsPending: false,
    settleRefund,
    dispute,
    closeDispute,
    warnOfFraud: (intentId) => {
      const intent = get(intentId, 'payment_intent');
      const warning = add({
        id: newId('issfr'),
        object: 'radar.early_fraud_warning',
        actionable: true,
        charge: intent['latest_charge'],
        payment_intent: intentId,
        created: seconds(),
        fraud_type: 'unauthorized_use_of_card',
        livemode: false,
      });
      tell('radar.early_fraud_warning.created', warning);
      return warning;
    },
    finishOnboarding: (payeeId) => reviewPayee(payeeId, 'active', []),
    restrictPayee: (payeeId) => reviewPayee(payeeId, 'restricted', ['identity.individual.documents.primary']),
    withdrawPayee: (payeeId) => {
      const account = get(payeeId, 'v2.core.account');
      objects.delete(payeeId);
      tell('account.application.deauthorized', { ...account, id: 'ca_1', object: 'application' }, payeeId);
    },
    accountsWithMoney: new Set(),
    send,
    delivered: async () => {
      while (sending.size > 0) await Promise.all(sending);
    },
    sign,
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
    STRIPE_SECRET_KEY: 'sk_test_of_the_stand_in',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_stand_in',
    STRIPE_WEBHOOK_SECRET: ACCOUNT_SECRET,
    STRIPE_CONNECT_WEBHOOK_SECRET: CONNECT_SECRET,
    STRIPE_API_BASE: server.url,
  };
  return server;
}

const FAILURE = { error: { type: 'api_error', message: 'An unknown error occurred' } };

function transfersOf(account: StripeObject): string {
  const { recipient } = account['configuration'] as {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { status: string } } } };
  };
  return recipient.capabilities.stripe_balance.stripe_transfers.status;
}

function reply(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(6).toString('hex')}`,
    'stripe-version': CONTRACT.apiVersion,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function send404(response: http.ServerResponse): void {
  reply(response, 404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } });
}
