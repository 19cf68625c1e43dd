import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '#server/platform/context.ts';

const TAG = /^(\d{1,9})-([0-9a-f]{20})$/;

/**
 * The return path of a message, `bounce+ID-PROOF@host`, to which receivers report that they could not deliver it
 * (variable envelope return path). The proof keeps a stranger from turning off another person's address with a made-up
 * report. Undefined without BOUNCE_ADDRESS.
 */
export function returnPathOf(ctx: Context, messageId: number): string | undefined {
  return ctx.config.bounceAddress?.replace('@', `+${messageId}-${proofsOf(ctx, messageId)[0]}@`);
}

/** The message of a return path. Null if the address is no return path, or 'forged' if its proof is wrong. */
export function messageOfReturnPath(ctx: Context, address: string): number | null | 'forged' {
  const [name, host] = ctx.config.bounceAddress?.toLowerCase().split('@') ?? [];
  const [, local, tag = '', domain] = /^([^+]*)(?:\+(.*))?@(.*)$/.exec(address) ?? [];
  if (local !== name || domain !== host) return null;
  const [, id, proof] = TAG.exec(tag) ?? [];
  if (id === undefined || proof === undefined) return 'forged';
  const isProven = proofsOf(ctx, Number(id)).some((expected) =>
    timingSafeEqual(Buffer.from(proof), Buffer.from(expected)),
  );
  return isProven ? Number(id) : 'forged';
}

/** One for each secret, the newest first. */
function proofsOf(ctx: Context, messageId: number): string[] {
  // Mail servers may write an address in lower case, so the proof has no capital letters.
  return ctx
    .keysFor('return paths of mail')
    .map((key) => createHmac('sha256', key).update(String(messageId)).digest('hex').slice(0, 20));
}
