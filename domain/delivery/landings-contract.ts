/** The calls of landings, from the advertiser's screen and from the advertiser's own server. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { bodyReference, okReply, referenceParams } from '../fields.ts';
import { LANDING_PARAMETER } from './landings.ts';

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
