import { Stripe } from 'stripe';
import type { StripeSettings } from '../../settings/joint.ts';
import { type Metadata, ProviderError, type ProviderEvent } from '../payment-provider.ts';

/**
 * Stripe signs each try again, so an older signature is that of a replayed request. One from the future would stay valid
 * for longer than this.
 */
const MAX_AGE_SECONDS = 300;

/** The longest id that we store. Stripe's have at most 255 characters. */
const MAX_ID_LENGTH = 255;

/** Verifies the signature with each secret of the endpoint. `now` is the wall clock, which Stripe's clock follows. */
export function verifyEvent(
  settings: StripeSettings,
  {
    raw,
    signature,
    source,
    now,
  }: { raw: Buffer; signature: string | string[] | undefined; source: 'account' | 'connect'; now: Date },
): ProviderEvent {
  const secrets = source === 'account' ? settings.webhookSecrets : settings.connectWebhookSecrets;
  const header = typeof signature === 'string' ? signature : '';
  for (const secret of secrets) {
    try {
      Stripe.webhooks.signature?.verifyHeader(raw, header, secret, MAX_AGE_SECONDS, undefined, now.getTime());
      if (signedAtOf(header) > now.getTime() / 1000 + MAX_AGE_SECONDS) continue;
      const event = JSON.parse(raw.toString(), refuseNull) as Stripe.Event | Notification;
      return requireStorable(event.object === 'v2.core.event' ? readNotification(event) : readEvent(event));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      throw new ProviderError('invalid', 'The event is not one of this version of Stripe’s API.');
    }
  }
  throw new ProviderError(
    'invalid',
    'The signature of the event is missing, wrong, too old or of the future.',
    {
      code: 'signature',
    },
  );
}

/** The time of a verified signature, in seconds since 1970. */
function signedAtOf(header: string): number {
  return Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]);
}

// PostgreSQL stores U+0000 neither in a text nor in a document.
function refuseNull(key: string, value: unknown): unknown {
  if (key.includes('\u0000') || (typeof value === 'string' && value.includes('\u0000')))
    throw new Error('The event has a null character');
  return value;
}

function requireStorable(event: ProviderEvent): ProviderEvent {
  const { id, type, objectId, accountId, createdAt } = event;
  for (const text of [id, type, objectId, accountId ?? ''])
    if (typeof text !== 'string' || text.length > MAX_ID_LENGTH)
      throw new Error('The event has an invalid id');
  // The invalid date compares as false.
  if (!(Math.abs(createdAt.getTime()) < LAST_INSTANT))
    throw new Error('The event was not created at an instant');
  return event;
}

const LAST_INSTANT = Date.UTC(9999, 0);

/** An event of the v2 API, such as of an account. It names its object and holds nothing else of it. */
type Notification = Pick<Stripe.V2.Core.Event, 'id' | 'object' | 'type' | 'created' | 'livemode'> & {
  related_object?: { id: string; type: string } | null;
};

function readNotification({
  id,
  type,
  created,
  livemode,
  related_object: about,
}: Notification): ProviderEvent {
  return {
    id,
    type,
    objectId: about?.id ?? id,
    metadata: {},
    accountId: about?.type === 'v2.core.account' ? about.id : null,
    createdAt: new Date(created),
    live: livemode,
  };
}

export function readEvent(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as { id?: string; metadata?: Metadata | null };
  return {
    id: event.id,
    type: event.type,
    // Some objects, such as a balance, have no id.
    objectId: object.id ?? event.id,
    metadata: object.metadata ?? {},
    accountId: event.account ?? null,
    // Multiplication would take null for 1970.
    createdAt: new Date(typeof event.created === 'number' ? event.created * 1000 : Number.NaN),
    live: event.livemode,
  };
}
