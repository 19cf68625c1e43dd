import { LANDING_PARAMETER } from '#domain/delivery/landings.ts';
import { reportLanding } from '#domain/delivery/landings-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict, HttpError } from '#server/platform/http/errors.ts';
import { recordLanding } from '../event-log/landings.ts';
import { findCampaign } from './store.ts';
import type { LandingTokens } from '../tokens/landing-tokens.ts';

/**
 * A server of the advertiser reports a landing. Unlike the script, it waits for the answer, so the database decides at
 * once whether this is the first report. A refused report changes nothing. [EVID-02]
 */
export function landClick(tokens: LandingTokens) {
  return async (
    ctx: Context,
    _who: unknown,
    { body }: Parsed<typeof reportLanding>,
  ): Promise<Reply<typeof reportLanding>> => {
    const reading = tokens.read(body[LANDING_PARAMETER], ctx.realNow().getTime());
    if (reading.state === 'forged')
      throw new HttpError(
        400,
        'Invalid token. Send the value of osid from the address of the landing page, unchanged.',
      );
    if (reading.state === 'expired')
      throw new HttpError(400, 'This token has expired. Report a landing within 24 hours of the click.');
    const { claims } = reading;
    if (body.ad && !(await isNamed(ctx, body.ad, claims.adId)))
      throw new HttpError(400, 'This token belongs to another ad. Leave out ad, or send the id of that ad.');
    if (!(await recordLanding(ctx, claims)))
      throw conflict('This landing was reported before. Nothing has changed.');
    return { success: true };
  };
}

/** Whether the reference names this ad, or a second creative of it, whose address the macro {ad} fills with its own id. */
export async function isNamed(ctx: Context, ref: Reference, adId: number): Promise<boolean> {
  return (await findCampaign(ctx.db, ref)) === adId;
}
