/**
 * `npm run -s lab attack -- thread` looks for requests that hold the thread which serves ads. It starts a server in a process
 * of its own, asks it for ads one after the other, and compares the slowest answer of ordinary seconds with those while a
 * person adds the first passkey since the start, while a person opens six PDFs at once, and while six loops answer passkeys
 * with a hostile attestation. It prints the ratios and the longest turn of the event loop
 * (`nodejs_eventloop_lag_max_seconds`, of the alert OpenslotThreadHeld), and exits with 1 if a slowest answer is more than
 * twice the ordinary one. Other work on the machine moves the figures.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../server/app/app.ts';
import { createDatabase, createPool } from '../server/platform/database/database.ts';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { deriveKeys } from '../server/platform/settings/session-secret.ts';
import { TestPasskey } from '../server/testing/accounts/passkeys.ts';
import { SESSION_SECRET, signInAs } from '../server/testing/accounts/sign-in.ts';
import { Client } from '../server/testing/client.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '../server/testing/story.ts';
import { build } from '../scripts/build.mjs';
import { startServer, stopServer } from './load.ts';
import { root } from '../scripts/node.mjs';

/** Long words of scripts whose letters take long to lay out, each different. */
const WORDS = ['W', 'क्ष', 'ب', '国', 'שׁ', 'กำ'];
const LOOPS = 6;
/** The time of a phase that does not end by itself, and the pause after each. */
const PHASE_MS = 10_000;
const REST_MS = 2000;
/** Between two ad requests. */
const ASK_EVERY_MS = 10;
const METRICS_TOKEN = 'the-token-of-this-exercise';
const HOSTILE = `@ ${'a'.repeat(14_600)}`;

process.exitCode = (await attack()) ? 0 : 1;

async function attack(): Promise<boolean> {
  await build();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-attack-'));
  const database = await startEmbedded({ dataDir: path.join(folder, 'database'), log: () => {} });
  try {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const server = await startServer(root, port, {
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.url('openslot'),
      DATABASE_OWNER_URL: database.ownerUrl('openslot'),
      PUBLIC_URL: url,
      SESSION_SECRET,
      METRICS_TOKEN,
      SAMPLE_DATA: '0',
    });
    const pool = createPool(database.url('openslot'), 2, 'openslot attack');
    try {
      return await measure(url, {
        ctx: {
          config: { publicUrl: url },
          db: createDatabase(pool),
          realNow: () => new Date(),
          ...deriveKeys([SESSION_SECRET]),
        },
        pool,
      } as unknown as Pick<App, 'ctx' | 'pool'>);
    } finally {
      await pool.end();
      await stopServer(server);
    }
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, app: Pick<App, 'ctx' | 'pool'>): Promise<boolean> {
  const enter = async (role: 'seller' | 'buyer') => {
    const client = new Client(url);
    await signInAs(app, client, { email: `${role}@example.test`, role, firstName: 'Ada', lastName: 'Lane' });
    return client;
  };
  const [seller, buyer] = [await enter('seller'), await enter('buyer')];
  const zone = await makeZone(seller, await makeWebsite(seller));
  const product = await makeProduct(seller, zone, { duration: 30 });
  for (const word of WORDS) {
    const ad = await approve(seller, await makeAd(buyer, product));
    const receiptFor = { company: 'Long Words', name: 'Ada Lane', address: word.repeat(500 / word.length) };
    const claim = { amount: ad.totalAmount, adPublicId: ad.publicId, receiptFor };
    const begun = await buyer.post('/api/create-payment-intent', claim);
    if (begun.status !== 200) throw new Error(`The payment answered ${begun.status}: ${begun.text}`);
    await pay(buyer, ad);
  }
  const numbers = ((await buyer.get('/api/documents')).body as { number: string }[]).map(
    ({ number }) => number,
  );
  if (numbers.length !== WORDS.length) throw new Error(`There are ${numbers.length} receipts`);

  const ask = async () => await buyer.get(`/api/serve/ads?z=${zone.publicId}`, { cookie: '' });
  /** Asks for ads until `work` has ended. */
  const phase = async (name: string, work: () => Promise<string>) => {
    await longestTurn(url);
    let isOver = false;
    const told = work().finally(() => (isOver = true));
    const answers: number[] = [];
    do {
      const begun = performance.now();
      const { status } = await ask();
      if (status !== 200) throw new Error(`An ad request answered ${status}`);
      answers.push(performance.now() - begun);
      await pause(ASK_EVERY_MS);
    } while (!isOver);
    const found = { name, did: await told, answers: answers.length, ...summary(answers) };
    const row = { ...found, turn: await longestTurn(url) };
    await pause(REST_MS);
    return row;
  };

  await phase('warm-up', async () => await pause(PHASE_MS, '').then(() => ''));
  const ordinary = await phase('ordinary', async () => await pause(PHASE_MS, '').then(() => ''));
  const attacks = [
    await phase('the first passkey since the start', async () => await passkeys(url, app, 1, 0)),
    await phase('six PDFs at once', async () => {
      const got = await Promise.all(
        numbers.map(async (number) => await buyer.get(`/api/documents/${number}.pdf`)),
      );
      return got.map(({ status }) => status).join(' ');
    }),
    await phase('six loops of hostile passkeys', async () => await passkeys(url, app, LOOPS, PHASE_MS)),
  ];
  console.table(
    [ordinary, ...attacks].map(({ name, did, answers, median, slowest, turn }) => ({
      phase: name,
      answered: did,
      'ad answers': answers,
      'median ms': median.toFixed(1),
      'slowest ms': slowest.toFixed(1),
      ratio: (slowest / ordinary.slowest).toFixed(2),
      'longest turn ms': (turn * 1000).toFixed(0),
    })),
  );
  console.log(
    `Load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.availableParallelism()} processors.`,
  );
  return attacks.every(({ slowest }) => slowest <= 2 * ordinary.slowest);
}

/** Each loop is a person who begins and answers passkeys, at least once. Returns the statuses with their numbers. */
async function passkeys(
  url: string,
  app: Pick<App, 'ctx' | 'pool'>,
  loops: number,
  lastsMs: number,
): Promise<string> {
  const counts = new Map<number, number>();
  const until = Date.now() + lastsMs;
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      const person = new Client(url);
      const email = `loop-${loop}-of-${loops}@example.test`;
      await signInAs(app, person, { email, role: 'buyer', firstName: 'Ada', lastName: 'Lane' });
      const attestation = { format: HOSTILE, statement: Buffer.from([0xa0]) };
      do {
        const begun = await person.post('/api/user/passkeys/options');
        const { challenge = '' } = begun.body as { challenge?: string };
        const credential = new TestPasskey(url).create(challenge, { attestation });
        const { status } = await person.post('/api/user/passkeys', { credential });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      } while (Date.now() < until);
    }),
  );
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

function summary(answers: readonly number[]): { median: number; slowest: number } {
  const sorted = answers.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, slowest: sorted.at(-1) ?? 0 };
}

/** The longest turn of the event loop since the last call, in seconds. */
async function longestTurn(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const found = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1];
  if (found === undefined) throw new Error('The metrics have no turns of the event loop');
  return Number(found);
}
