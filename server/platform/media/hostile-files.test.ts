import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from '#server/testing/client.ts';
import { CLIP, clipOfEndlessTable, clipWithText } from '#server/testing/pictures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const decoderProgram = path.join(import.meta.dirname, '../../testing/hostile-decoder.ts');
const server = useOwnServer({ decoderProgram });
let person: Client;
beforeAll(async () => {
  person = await server.signIn();
});

async function send(bytes: Buffer): Promise<Answer> {
  const { uploadURL } = (await person.post('/api/ad-images/upload')).body as { uploadURL: string };
  return await person.put(uploadURL, new Uint8Array(bytes), { 'content-type': 'video/mp4' });
}

async function answersOthers(): Promise<void> {
  const zone = '00000000-0000-4000-8000-000000000000';
  const anyone = server.anyone();
  expect((await anyone.get('/api/health')).status).toBe(200);
  expect((await anyone.get(`/api/serve/ads?z=${zone}`)).status).toBe(200);
}

describe('a hostile video', () => {
  // Proves DEC-03
  it('is refused if its tables claim endless samples, while the server answers others', async () => {
    for (const table of ['ctts', 'stts', 'stsc'] as const) {
      const sent = send(clipOfEndlessTable(table));
      await answersOthers();
      const { status, body } = await sent;
      expect({ table, status, body }).toEqual({
        table,
        status: 413,
        body: { message: 'The video has too many frames. Export it again with at most 60 frames a second.' },
      });
    }
  });

  // Proves DEC-01
  it('is refused if it makes the decoder loop or use up memory, while the server answers others', async () => {
    for (const act of ['hang', 'buffers', 'array']) {
      const sent = [send(clipWithText(` ${act}`)), send(clipWithText(` ${act}`))];
      const waiting = send(CLIP);
      await answersOthers();
      for (const each of sent) {
        const { status, body } = await each;
        expect({ act, status, body }).toEqual({
          act,
          status: 422,
          body: { message: 'This file takes too long to check. Save it again, or choose a smaller one.' },
        });
      }
      expect((await waiting).status).toBe(200);
    }
  });
});
