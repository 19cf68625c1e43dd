/** Visitors of publishers' pages, who come through the balancer, and what they were told. */
import { once } from 'node:events';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedAds } from '../../domain/delivery/wire.ts';
import { BROWSER } from '../../server/testing/delivery/running-ads.ts';

/** Younger views are recorded as too fast. */
const VIEW_AFTER_MS = 1100;
const CLICKS = 0.1;
/** Most browsers have the image of an ad already. */
const IMAGES = 0.2;
const TIMEOUT_MS = 10_000;

type Target = { port: number; certificate: string; zones: readonly { zone: string; origin: string }[] };

/** An acknowledged event: the token of a view with 204, or of a click with 302. */
export type Acknowledged = { kind: 'view' | 'click'; token: string };

export function startVisitors({ port, certificate, zones }: Target, perSecond: number) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 256, ca: certificate });
  const acknowledged: Acknowledged[] = [];
  /** How many requests failed in which way, such as `view 503`. */
  const failures = new Map<string, number>();
  /** When the last request failed, by `performance.now()`. */
  let failedAt = -Infinity;
  let rate = perSecond;
  let isOver = false;
  const visits = new Set<Promise<void>>();

  const note = (failure: string) => failures.set(failure, (failures.get(failure) ?? 0) + 1);

  async function request(
    method: string,
    path: string,
    origin: string,
  ): Promise<{ status: number; body: string }> {
    const headers = {
      'user-agent': BROWSER,
      ...(method === 'GET' && path.includes('/click/') ? {} : { origin }),
    };
    const sent = https.request({
      host: 'localhost',
      port,
      agent,
      method,
      path,
      headers,
      timeout: TIMEOUT_MS,
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end();
    const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    let body = '';
    for await (const chunk of answer) body += String(chunk);
    return { status: answer.statusCode ?? 0, body };
  }

  /** Returns the answer, or null if there was none or it says that something failed. */
  async function attempt(what: string, ...asked: Parameters<typeof request>) {
    try {
      const answer = await request(...asked);
      if (answer.status < 400) return answer;
      note(`${what} ${answer.status}`);
    } catch (error) {
      note(`${what} ${(error as { code?: string }).code ?? (error as Error).message}`);
    }
    failedAt = performance.now();
    return null;
  }

  async function visit({ zone, origin }: Target['zones'][number]): Promise<void> {
    const answer = await attempt('ad', 'GET', `/api/serve/ads?z=${zone}`, origin);
    const ad = answer?.status === 200 ? (JSON.parse(answer.body) as ServedAds).ads[0] : undefined;
    if (!ad?.view || !ad.click) return;
    const image =
      ad.src !== undefined && Math.random() < IMAGES
        ? attempt('image', 'GET', new URL(ad.src).pathname, origin)
        : null;
    await pause(VIEW_AFTER_MS);
    const { pathname: view } = new URL(ad.view);
    const { pathname: click } = new URL(ad.click);
    if ((await attempt('view', 'POST', view, origin))?.status === 204)
      acknowledged.push({ kind: 'view', token: view.split('/').at(-1)! });
    if (Math.random() < CLICKS && (await attempt('click', 'GET', click, origin))?.status === 302)
      acknowledged.push({ kind: 'click', token: click.split('/').at(-1)! });
    await image;
  }

  async function come(): Promise<void> {
    for (let due = performance.now(); !isOver; due += 1000 / rate) {
      await pause(Math.max(0, due - performance.now()));
      // A machine that cannot send as many sends what it can.
      if (performance.now() - due > 1000) due = performance.now();
      const visiting = visit(zones[Math.floor(Math.random() * zones.length)]!).finally(() =>
        visits.delete(visiting),
      );
      visits.add(visiting);
    }
  }
  const coming = come();

  return {
    acknowledged,
    failures,
    failedAt: () => failedAt,
    setRate: (next: number) => {
      rate = next;
    },
    end: async () => {
      isOver = true;
      await coming;
      await Promise.all(visits);
      agent.destroy();
    },
  };
}
export type Visitors = ReturnType<typeof startVisitors>;
