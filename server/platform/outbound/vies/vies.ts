/** The register of the EU's tax numbers, VIES. See docs/decisions/091-tax-is-a-liability.md. */
import type { TaxId } from '#domain/payments/tax-ids.ts';

export type ViesAnswer = {
  isRegistered: boolean;
  /** VIES' identifier of this question, which proves it. Null if VIES gave none. */
  requestId: string | null;
};

export type Vies = {
  /** Names the register where an answer of it is stored and shown. */
  name: 'vies' | 'stand-in';
  /** `requester` is the marketplace's own number. Without it, VIES gives no identifier. Throws ViesAway. */
  ask: (taxId: TaxId, requester: TaxId | null) => Promise<ViesAnswer>;
};

/** VIES, or the register of the number's country, gave no answer. The message says why, for the log. */
export class ViesAway extends Error {
  override readonly name = 'ViesAway';
}

/**
 * A local stand-in for VIES in the sandbox. Nothing leaves the machine. The first three digits of a number say the
 * answer: 200 is not registered, 300 is one whose register is away, and any other is registered.
 */
export function createViesStandIn(): Vies {
  return {
    name: 'stand-in',
    ask: async ({ number }, requester) => {
      const digits = /\d{3}/.exec(number)?.[0];
      if (digits === '300') throw new ViesAway('the stand-in for VIES plays an outage for this number');
      return { isRegistered: digits !== '200', requestId: requester && `STAND-IN-${number}` };
    },
  };
}
