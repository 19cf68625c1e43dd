/** Landings: the advertiser reports which clicks of an ad reached the page behind its target address. */
import { DAY_MS } from '../time.ts';
import { CLOCK_SKEW_MS } from './judge.ts';
import { scriptLine } from './script-line.ts';

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
  return scriptLine(`${host}/api/serve/landing.js`, 'async');
}
export function landingCommand(host: string, adPublicId: string): string {
  const body = `{"${LANDING_PARAMETER}":"'"$${LANDING_PARAMETER.toUpperCase()}"'","ad":"${adPublicId}"}`;
  return `curl -X POST ${host}/api/serve/landings -H 'Content-Type: application/json' -d '${body}'`;
}
