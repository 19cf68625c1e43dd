import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { type ProviderEvent, ProviderError } from '#server/platform/provider/payment-provider.ts';
import { countRefusal, keepEvent } from './store-events.ts';

/** Stripe sends a few kilobytes. */
const MAX_BYTES = 256 * 1024;

const CALL = {
  access: 'anyone' as const,
  answers: {
    200: 'The event is stored. Also for a type that has no effect, and for an event of the other mode, which is not stored',
    400: 'The signature is missing, wrong, too old or dated ahead, or the event cannot be stored',
    413: 'The body is too large',
  },
};

const ENDPOINTS = [
  {
    url: '/api/webhooks/stripe',
    source: 'account',
    summary: 'Events of the card provider, signed by it',
  },
  {
    url: '/api/webhooks/stripe-connect',
    source: 'connect',
    summary: 'Events of the publishers’ accounts at the card provider, signed by it',
  },
] as const;

/**
 * Registers the two addresses that a card provider calls. They exist only with a real one, because the sandbox writes its
 * events itself. They have a context of their own, because the signature is over the raw bytes of the body.
 */
export function registerWebhooks(app: FastifyInstance, ctx: Context): void {
  if (ctx.payments.name === 'sandbox') return;
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    for (const { url, source, summary } of ENDPOINTS) {
      hooks.post(
        url,
        { bodyLimit: MAX_BYTES, config: { isSigned: true, call: { ...CALL, summary } } },
        (request, reply) => receive(ctx, source, request, reply),
      );
    }
  });
}

/** Stores a signed event once and answers. A job handles it, so that the provider never waits for the effects. [HOOK-11] */
async function receive(
  ctx: Context,
  source: 'account' | 'connect',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const event = await readSigned(ctx, source, request);
  if (event.live === (ctx.payments.mode === 'live')) await keepEvent(ctx.db, event, source, ctx.now());
  return reply.header('cache-control', 'no-store').send({ received: true });
}

async function readSigned(
  ctx: Context,
  source: 'account' | 'connect',
  request: FastifyRequest,
): Promise<ProviderEvent> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  try {
    return ctx.payments.readEvent(raw, request.headers, source);
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'invalid')) throw error;
    await countRefusal(ctx.db, source, utcDay(ctx.realNow()));
    request.log.warn({ source, reason: error.message }, 'a webhook was refused because of its signature');
    throw invalid(
      'The signature or the content of this event is not valid. Check the signing secret of the endpoint.',
    );
  }
}
