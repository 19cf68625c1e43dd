import { type Vies, ViesAway } from './vies.ts';

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
