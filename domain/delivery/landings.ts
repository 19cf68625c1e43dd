/** Landings: the advertiser reports which clicks of an ad reached the page behind its target address. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { bodyReference, okReply, referenceParams } from '../fields.ts';
import { DAY_MS } from '../time.ts';
import { CLOCK_SKEW_MS } from './judge.ts';

/** The parameter that a measured click adds to the target address. Its value is the token of the landing. */
export const LANDING_PARAMETER = 'osid';

/** How long after the click its landing may be reported. A server may report once a day. [EVID-02] */
export const LANDING_LIFETIME_MS = DAY_MS;

/** Whether a landing's token is too old, or dated further ahead than the servers' clocks may differ. */
export function isLandingExpired(clickedAtMs: number, nowMs: number): boolean {
  const age = nowMs - clickedAtMs;
  return age > LANDING_LIFETIME_MS || age < -CLOCK_SKEW_MS;
}

/** The landing rate: landings per measured click, from 0 to 1; null without such a click. */
export function landingRate({ clicks, landings }: { clicks: number; landings: number }): number | null {
  return clicks === 0 ? null : landings / clicks;
}

/** The lines that an advertiser installs. `host` is the delivery address. */
export function landingScript(host: string): string {
  return `<script async src="${host}/api/serve/landing.js"></script>`;
}
export function landingCommand(host: string, adPublicId: string): string {
  const body = `{"${LANDING_PARAMETER}":"'"$${LANDING_PARAMETER.toUpperCase()}"'","ad":"${adPublicId}"}`;
  return `curl -X POST ${host}/api/serve/landings -H 'Content-Type: application/json' -d '${body}'`;
}

const landings = z.object({
  enabled: z.boolean(),
  /** The address of the ad server, for the lines to install. */
  host: z.string(),
  /** The clicks that left with a token and passed all rules, and those of them that landed. */
  clicks: z.number().int(),
  landings: z.number().int(),
});

export const getLandings = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/landings',
  summary: 'The landings of one of your own ads, and whether they are measured',
  params: referenceParams,
  reply: landings,
});
export type Landings = Reply<typeof getLandings>;

export const measureLandings = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref/landings',
  summary: 'Turn the measuring of landings of one of your own ads on or off',
  params: referenceParams,
  body: z.object({ enabled: z.boolean('Say whether landings are measured: true or false') }),
  reply: landings,
});

const TOKEN_REQUIRED = `Send the value of ${LANDING_PARAMETER} from the address of the landing page, unchanged`;

export const reportLanding = endpoint({
  method: 'POST',
  path: '/api/serve/landings',
  summary:
    'Reports from your server that a click landed; 400 for an invalid or expired token or one of another ad, 409 for a landing that was reported before',
  body: z.object({
    [LANDING_PARAMETER]: z.string(TOKEN_REQUIRED).min(1, TOKEN_REQUIRED).max(200, TOKEN_REQUIRED),
    /** The ad that the token must belong to. */
    ad: bodyReference.optional(),
  }),
  reply: okReply,
});
