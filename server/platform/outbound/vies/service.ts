import { z } from 'zod';
import { type TaxId, taxIdPrefix } from '#domain/payments/tax-ids.ts';
import { fetchBytes, FetchError } from '../fetch-bytes.ts';
import type { Names } from '../names.ts';
import { type Vies, ViesAway } from './vies.ts';

export const VIES_URL = 'https://ec.europa.eu/taxation_customs/vies/rest-api';

/** A buyer waits for the answer at the checkout. */
const TIMEOUT_MS = 3000;
/** An answer is some hundred bytes: the name and the address of a company, which we do not keep. */
const MAX_BYTES = 64 * 1024;

/** The part of an answer that we read. `userError` is 'VALID', 'INVALID', or says why there is no answer. */
const reply = z.object({
  isValid: z.boolean().default(false),
  userError: z.string().max(100).default(''),
  requestIdentifier: z.string().max(100).nullish(),
});

/**
 * The EU's service. `url` is another address for it, such as a proxy; it may be a local one. `beforeCall` throws if no
 * call may leave now.
 */
export function createViesService({
  url,
  names,
  beforeCall,
}: {
  url: string | undefined;
  names: Names;
  beforeCall: () => Promise<void>;
}): Vies {
  return {
    name: 'vies',
    ask: async (taxId, requester) => {
      await beforeCall();
      const bytes = await read(addressOf(url ?? VIES_URL, taxId, requester), {
        names,
        allowLocal: url !== undefined,
      });
      const { isValid, userError, requestIdentifier } = parsed(bytes);
      if (isValid && userError !== 'VALID') throw new ViesAway(`VIES contradicts itself: ${userError}`);
      // VIES may know a form of the number that is stricter than ours.
      if (!isValid && userError !== 'INVALID' && userError !== 'INVALID_INPUT')
        throw new ViesAway(`VIES gave no answer: ${userError}`);
      return { isRegistered: isValid, requestId: requestIdentifier || null };
    },
  };
}

function addressOf(base: string, { country, number }: TaxId, requester: TaxId | null): string {
  const url = new URL(
    `${base.replace(/\/$/, '')}/ms/${taxIdPrefix(country)}/vat/${encodeURIComponent(number)}`,
  );
  if (requester) {
    url.searchParams.set('requesterMemberStateCode', taxIdPrefix(requester.country));
    url.searchParams.set('requesterNumber', requester.number);
  }
  return url.href;
}

async function read(address: string, rules: { names: Names; allowLocal: boolean }): Promise<Buffer> {
  try {
    const { status, bytes } = await fetchBytes(address, {
      ...rules,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      mayFollow: () => false,
      redirectAdvice: '',
      accept: 'application/json',
    });
    if (status !== 200) throw new ViesAway(`VIES answered with the status ${status}`);
    return bytes;
  } catch (error) {
    if (error instanceof FetchError) throw new ViesAway('VIES could not be reached', { cause: error });
    throw error;
  }
}

function parsed(bytes: Buffer): z.output<typeof reply> {
  try {
    return reply.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new ViesAway('the answer of VIES could not be read', { cause: error });
  }
}
