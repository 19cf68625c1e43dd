import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { HELD, isHeld } from '#server/platform/outbound/hold.ts';

/** Throws 409 while everything outgoing is on hold. For work that calls the provider without a job of the queue. [OPS-54] */
export async function refuseWhileHeld({ db }: Context): Promise<void> {
  if (await isHeld(db)) throw conflict(HELD);
}
