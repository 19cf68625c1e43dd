import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { serveAssets } from './assets.ts';

const root = newTemporaryFolder('web');
const app = fastify();
const assets = path.join(root, 'static', 'assets');
const write = (name: string, content: string) => writeFileSync(path.join(assets, name), content);

beforeAll(() => {
  mkdirSync(assets, { recursive: true });
  writeFileSync(path.join(root, 'static', 'secret.js'), 'secret');
  write('page-a1.js', 'plain');
  write('page-a1.js.br', 'brotli');
  write('page-a1.js.gz', 'gzip');
  write('icon-a1.js', 'short');
  serveAssets(app, root);
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = async (name: string, accepted?: string) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  return await app.inject({ url: `/assets/${name}`, headers });
};

describe('the files of the build', () => {
  it.each([
    ['gzip, deflate, br', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
    ['identity', 'plain', undefined],
    [undefined, 'plain', undefined],
  ])('are sent in the best encoding of Accept-Encoding: %s', async (accepted, body, encoding) => {
    const answer = await get('page-a1.js', accepted);
    expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([
      200,
      body,
      encoding,
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
  });

  it('are sent as they are if compression made them no smaller', async () => {
    const answer = await get('icon-a1.js', 'br');
    expect([answer.body, answer.headers['content-encoding']]).toEqual(['short', undefined]);
  });

  it('are read once, and a file that a later build adds is found', async () => {
    await get('page-a1.js');
    write('page-a1.js', 'changed');
    expect((await get('page-a1.js')).body).toBe('plain');
    expect((await get('later-a1.js')).statusCode).toBe(404);
    write('later-a1.js', 'later');
    expect((await get('later-a1.js')).body).toBe('later');
  });

  it.each(['..%2fsecret.js', '..%5csecret.js', 'PAGE-a1.js', 'page-a1.js.br', '%00.js', '.js', ''])(
    'are the only ones: %s is not found',
    async (name) => {
      const answer = await get(name);
      expect([answer.statusCode, answer.body.includes('secret')]).toEqual([404, false]);
    },
  );
});
