import type { FastifyInstance } from 'fastify';
import { bounceReport, isMailable } from '#domain/notifications/bounces.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError, invalid } from '#server/platform/http/errors.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { hasBearer } from '#server/platform/net/secrets.ts';
import { messageOfReturnPath } from './return-path.ts';
import { findMessage } from './store.ts';
import { countBounces, deleteBouncesOf, insertBounce } from './store-bounces.ts';

const CALL: CallDescription = {
  summary:
    'A report of the mail relay about mail that it could not deliver, with BOUNCE_TOKEN as bearer token',
  access: 'anyone',
  answers: {
    204: 'The report is stored. Also for one that has arrived before',
    400: 'The report is malformed, or its return path is not one of ours',
    401: 'The token is missing or wrong',
  },
};

/** Registers the address to which the mail relay reports bounces. It exists only with BOUNCE_TOKEN. */
export function registerBounces(app: FastifyInstance, ctx: Context): void {
  const { bounceToken } = ctx.config;
  if (bounceToken === undefined) return;
  app.post(
    '/api/webhooks/bounces',
    {
      config: { isSigned: true, call: CALL },
      // Before the body is read.
      onRequest: async ({ headers }) => {
        if (!hasBearer(headers.authorization, bounceToken))
          throw new HttpError(401, 'Send the value of BOUNCE_TOKEN as the bearer token.', {
            headers: { 'WWW-Authenticate': 'Bearer' },
          });
      },
    },
    async (request, reply) => {
      const { recipient, ...report } = parseInput(bounceReport, request.body);
      const address = await personOf(ctx, recipient);
      if (address !== undefined) await insertBounce(ctx.db, { recipient: address, ...report });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  );
}

/** The person's address that a report is about. Undefined for the return path of a mail that was deleted meanwhile. */
async function personOf(ctx: Context, recipient: string): Promise<string | undefined> {
  const messageId = messageOfReturnPath(ctx, recipient);
  if (messageId === 'forged')
    throw invalid('This return path is not one of ours. Send the address as the receiver reported it.');
  if (messageId === null) return recipient;
  return (await findMessage(ctx.db, messageId))?.recipient.toLowerCase();
}

/**
 * Whether a mail of this kind is sent to this address. Mail for the operator always is, because OPERATOR_MAIL belongs to no
 * account that could prove it; `openslot doctor` says that it bounces.
 */
export async function isReachable(
  ctx: Context,
  { recipient, kind }: { recipient: string; kind: string },
): Promise<boolean> {
  if (recipient === ctx.config.contactEmail) return true;
  return isMailable(kind, await countBounces(ctx.db, recipient), ctx.realNow());
}

/** Mails an address again, because its owner has entered a code or opened a link that was mailed to it. */
export async function noteProven(tx: Tx, recipient: string): Promise<void> {
  await deleteBouncesOf(tx, recipient);
}
