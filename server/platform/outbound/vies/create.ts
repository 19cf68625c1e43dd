import type { Config } from '../../settings/config.ts';
import type { Database } from '../../database/database.ts';
import { MUST_WAIT, mustWait } from '../wait.ts';
import type { Names } from '../names.ts';
import { createViesService } from './service.ts';
import { createViesStandIn, type Vies, ViesAway } from './vies.ts';

/**
 * The register that the settings choose: in the sandbox a local stand-in, unless VIES_URL names another address. While
 * everything outgoing waits, no call leaves: it fails like one to a service that is away. [OPS-54]
 */
export function createVies(
  { stripe, viesUrl }: Pick<Config, 'stripe' | 'viesUrl'>,
  db: Database,
  names: Names,
): Vies {
  if (!stripe && viesUrl === undefined) return createViesStandIn();
  return createViesService({
    url: viesUrl,
    names,
    beforeCall: async () => {
      if (await mustWait(db)) throw new ViesAway(MUST_WAIT);
    },
  });
}
