import { Stripe } from 'stripe';
import type { StripeSettings } from '../../config.ts';
import { type Metadata, ProviderError, type ProviderEvent } from '../payment-provider.ts';

/** Stripe signs each try again, so an older signature is that of a replayed request. */
const MAX_AGE_SECONDS = 300;

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
      const event = JSON.parse(raw.toString()) as Stripe.Event | Notification;
      return event.object === 'v2.core.event' ? readNotification(event) : readEvent(event);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      throw new ProviderError('invalid', 'The event is not one of this version of Stripe’s API.');
    }
  }
  throw new ProviderError('invalid', 'The signature of the event is missing, wrong or too old.', {
    code: 'signature',
  });
}

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
    createdAt: new Date(event.created * 1000),
    live: event.livemode,
  };
}
