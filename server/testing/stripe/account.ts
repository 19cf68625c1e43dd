/** The objects, events and balance movements of the stand-in for Stripe. */
import { createHmac, randomBytes } from 'node:crypto';
import { CONTRACT } from '../stripe-contract.ts';

export type Parameters = Record<string, unknown>;
export type StripeObject = Record<string, unknown> & { id: string; object: string };
/** The calls of the API by their names in the contract, such as 'GET /v1/refunds/{id}'. */
export type Operations = Record<string, Operation>;
/** `payeeId` is the connected account in whose name the client asks. */
type Operation = (parameters: Parameters, ids: string[], payeeId: string | undefined) => unknown;

/** The first secret signs the events of our own account, the second those of connected ones. */
export const ACCOUNT_SECRET = 'whsec_account_of_the_stand_in';
export const CONNECT_SECRET = 'whsec_connect_of_the_stand_in';

/** An answer with an error of Stripe. */
export class Refused extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const metadataOf = (parameters: Parameters) =>
  (parameters['metadata'] ?? {}) as Record<string, string>;

export type Webhooks = { account?: string; connect?: string; isLost: boolean };
export type AccountOptions = { now?: () => Date; feeCurrency?: { currency: string; rate: number } };
export type StripeAccount = ReturnType<typeof openAccount>;

/** Opens an account without any objects. `feeCurrency` settles charges in another currency than theirs. */
export function openAccount(options: AccountOptions) {
  const now = options.now ?? (() => new Date());
  const seconds = () => Math.floor(now().getTime() / 1000);
  const objects = new Map<string, StripeObject>();
  const sending = new Set<Promise<void>>();
  const events: StripeObject[] = [];
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

  function tell(type: string, object: StripeObject, payeeId?: string): void {
    const event: StripeObject = {
      id: newId('evt'),
      object: 'event',
      api_version: CONTRACT.apiVersion,
      ...(payeeId !== undefined && { account: payeeId }),
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      type,
      data: { object: structuredClone(view(object)) },
    };
    events.push(event);
    if (!account.webhooks.isLost) void send(event);
  }

  async function send(event: StripeObject): Promise<void> {
    const target = 'account' in event ? account.webhooks.connect : account.webhooks.account;
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
        // The endpoint cannot be reached. Stripe, too, keeps such an event as undelivered.
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
      else if (typeof inner === 'object' && inner !== null) object[name] = view(inner, deeper);
    }
    return object;
  }

  const account = {
    now,
    seconds,
    newId,
    all,
    add,
    get,
    remove: (id: unknown) => objects.delete(String(id)),
    tell,
    send,
    sign,
    move,
    pageOf,
    view,
    events,
    /** The addresses that events are sent to. While `isLost` is true, they are only kept as undelivered. */
    webhooks: { isLost: false } as Webhooks,
    delivered: async () => {
      while (sending.size > 0) await Promise.all(sending);
    },
  };
  return account;
}
