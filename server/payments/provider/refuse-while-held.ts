import type { Context } from '../../context.ts';
import { conflict } from '../../http/errors.ts';
import { HELD, isHeld } from '../../outbound/hold.ts';

/** Throws 409 while everything outgoing is on hold. For work that calls the provider without a job of the queue. [OPS-54] */
export async function refuseWhileHeld({ db }: Context): Promise<void> {
  if (await isHeld(db)) throw conflict(HELD);
}
