/** An authenticator app for tests. */
import { Secret, TOTP } from 'otpauth';
import type { Client } from '../client.ts';
import { PASSWORD } from '../server.ts';

/** The code that an app with this secret shows at `now`. */
export function appCode(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

/** Turns the second factor of a signed-in person on. Uses the code of the current time step. */
export async function turnOnSecondFactor(
  person: Client,
  now: Date,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await person.post('/api/user/second-factor', { password: PASSWORD });
  const { secret } = begun.body as { secret: string };
  const answer = await person.post('/api/user/second-factor/confirm', { code: appCode(secret, now) });
  if (answer.status !== 200) throw new Error(`The set-up answered ${answer.status}: ${answer.text}`);
  return { secret, recoveryCodes: (answer.body as { recoveryCodes: string[] }).recoveryCodes };
}
