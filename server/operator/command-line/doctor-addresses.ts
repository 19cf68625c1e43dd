import { z } from 'zod';
import type { Config } from '#server/platform/settings/config.ts';
import type { Finding } from './doctor.ts';

const ANSWER_MS = 5000;

/** The part of the answer of `GET /api/health` that names its installation. `installation` is null before the server has read its database. */
const health = z.object({
  release: z.string(),
  reasons: z.array(z.string()),
  installation: z.string().nullable(),
});

/**
 * Opens the addresses of the settings as a visitor would, and says whether they lead to the installation that is called
 * `mark`.
 */
export async function checkAddresses({ publicUrl, deliveryUrl }: Config, mark: string): Promise<Finding[]> {
  const pages = {
    setting: 'PUBLIC_URL',
    url: publicUrl,
    effect: 'no page and no link of a mail can be opened',
  };
  const ads = { setting: 'DELIVERY_URL', url: deliveryUrl, effect: 'no ad appears on any website' };
  const asked = publicUrl === deliveryUrl ? [pages] : [pages, ads];
  return await Promise.all(asked.map(async (each) => await checkAddress(each, mark)));
}

async function checkAddress(
  { setting, url, effect }: { setting: string; url: string; effect: string },
  mark: string,
): Promise<Finding> {
  const fail = (text: string): Finding => ({ check: setting, state: 'fail', text });
  let status: number;
  let said: z.infer<typeof health> | undefined;
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    status = answer.status;
    said = health.safeParse(await answer.json().catch(() => null)).data;
  } catch (error) {
    return fail(
      `${url} does not answer this machine (${reasonOf(error)}), so ${effect} if it is the same for visitors. Mend the DNS record, the certificate or the proxy of this host, or correct ${setting}.`,
    );
  }
  if (said === undefined)
    return fail(
      `${url} answers with status ${status}, but is no Openslot of this release, so ${effect}. Let the proxy of this host pass everything on to the server, or correct ${setting}.`,
    );
  if (said.installation === null)
    return fail(`${url} leads to an Openslot that is not ready: ${said.reasons.join(' ')}`);
  if (said.installation !== mark)
    return fail(
      `${url} leads to another installation, or ours works with another database. Correct ${setting} or its proxy, and compare DATABASE_URL.`,
    );
  return { check: setting, state: 'ok', text: `${url} leads to this installation.` };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? (name === 'TimeoutError' ? `nothing within ${ANSWER_MS / 1000} s` : name);
}
