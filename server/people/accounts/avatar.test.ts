import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { CLIP, gif, jpegFromPhone, png, pngOfSize } from '#server/testing/pictures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { removeAvatarFile } from './avatar.ts';

const server = useServer();

const put = async (client: Client, bytes: Buffer, type = 'image/png') =>
  await client.put('/api/user/picture', new Uint8Array(bytes), { 'content-type': type });
const addressOf = async (client: Client) =>
  (await client.get('/api/auth/user')).body.profileImageUrl as string | null;

async function fetched(address: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(new URL(address, server.url));
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Runs the queued removals, because tests start no jobs. */
async function runRemovals(): Promise<void> {
  const { rows } = await server.app.pool.query<{ payload: { userId: number; name: string } }>(
    `with taken as (delete from graphile_worker._private_jobs where task_id =
       (select id from graphile_worker._private_tasks where identifier = 'remove-avatar') returning payload)
     select payload from taken`,
  );
  for (const { payload } of rows) await removeAvatarFile(server.ctx, payload);
}

// Proves ENT-01
it.each([
  ['a wide PNG', () => png(400, 100), 'image/png'],
  ['a photo on its side', () => jpegFromPhone(300, 200), 'image/jpeg'],
  ['a tiny animation', () => gif(3), 'image/gif'],
  ['a PNG that calls itself a JPEG', () => png(), 'image/jpeg'],
])('stores and shows %s as a square without metadata', async (_name, make, type) => {
  const person = await server.signIn();
  const answer = await put(person, await make(), type);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const address = answer.body.profileImageUrl as string;
  expect(address).toMatch(/^\/avatars\/[0-9a-f]{64}\.webp$/);
  expect((await person.get('/api/auth/user')).body).toEqual(answer.body);
  const { status, headers, bytes } = await fetched(address);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/webp');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const shown = await sharp(bytes).metadata();
  expect(shown).toMatchObject({ format: 'webp', width: 256, height: 256 });
  expect([shown.exif, shown.pages]).toEqual([undefined, undefined]);
});

it('removes the file of a replaced or removed picture, and never lists it in the media library', async () => {
  const person = await server.signIn();
  const first = (await put(person, await png(300, 300))).body.profileImageUrl as string;
  const second = (await put(person, await gif(2))).body.profileImageUrl as string;
  expect(second).not.toBe(first);
  await runRemovals();
  expect((await fetched(first)).status).toBe(404);
  expect((await fetched(second)).status).toBe(200);
  expect((await person.get('/api/media-library')).body).toEqual([]);

  const removed = await person.delete('/api/user/picture');
  expect(removed.status).toBe(200);
  expect(removed.body.profileImageUrl).toBeNull();
  expect((await person.delete('/api/user/picture')).status).toBe(200);
  await runRemovals();
  expect((await fetched(second)).status).toBe(404);
});

it('keeps a picture that is chosen again before the removal of the first one runs', async () => {
  const person = await server.signIn();
  const one = await png(300, 300);
  const first = (await put(person, one)).body.profileImageUrl as string;
  await person.delete('/api/user/picture');
  const again = (await put(person, one)).body.profileImageUrl as string;
  await runRemovals();
  expect([(await fetched(first)).status, (await fetched(again)).status]).toEqual([404, 200]);
});

// Proves API-27, API-28
it('exports the picture, and removes it with the account but keeps the same picture of another user', async () => {
  const person = await server.signIn();
  const twin = await server.signIn();
  const bytes = await png(300, 300);
  const address = (await put(person, bytes)).body.profileImageUrl as string;
  const twins = (await put(twin, bytes)).body.profileImageUrl as string;
  const exported = (await person.post('/api/user/export-data')).body;
  expect(exported.picture).toBe(
    `data:image/webp;base64,${(await fetched(address)).bytes.toString('base64')}`,
  );
  expect((await (await server.signIn()).post('/api/user/export-data')).body.picture).toBeNull();

  expect((await person.delete('/api/user/account')).status).toBe(200);
  await runRemovals();
  expect((await fetched(address)).status).toBe(404);
  expect((await fetched(twins)).status).toBe(200);
});

it.each([
  ['text', async () => Buffer.from('no picture'), 415, 'Choose a JPEG, PNG or GIF image.'],
  ['a video', async () => CLIP, 415, 'Choose a JPEG, PNG or GIF image.'],
  [
    'an SVG',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    415,
    'Choose a JPEG, PNG or GIF image.',
  ],
  ['half a PNG', async () => (await png(300, 300)).subarray(0, 200), 415, /damaged/],
  ['half an animation', async () => (await gif(4)).subarray(0, -20), 415, /damaged/],
  ['an empty file', async () => Buffer.alloc(0), 400, 'The file is empty. Choose another one.'],
  [
    'a file of 6 MB',
    () => pngOfSize(6 * 1024 * 1024),
    413,
    'The image is too large. Choose one of up to 5 MB.',
  ],
  ['an image with too many pixels', () => png(6000, 5000), 413, /too many pixels/],
])('refuses %s with a message and keeps the old picture', async (_name, make, status, message) => {
  const person = await server.signIn();
  const before = (await put(person, await png())).body.profileImageUrl as string;
  const answer = await put(person, await make());
  expect(answer.status).toBe(status);
  expect(answer.body.message).toMatch(message);
  expect(await addressOf(person)).toBe(before);
  expect((await fetched(before)).status).toBe(200);
});

it('accepts 5 MB, and refuses a longer file that declares no length', async () => {
  const person = await server.signIn();
  expect((await put(person, await pngOfSize(5 * 1024 * 1024))).status).toBe(200);
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      if (sent++ < 8) controller.enqueue(chunk);
      else controller.close();
    },
  });
  const answer = await fetch(new URL('/api/user/picture', server.url), {
    method: 'PUT',
    headers: { cookie: person.cookie, 'content-type': 'image/png' },
    body: endless,
    duplex: 'half',
  });
  expect(answer.status).toBe(413);
});

it('answers 401 to a visitor who sets or removes a picture, and 404 to an unknown address', async () => {
  const anyone = server.anyone();
  expect((await put(anyone, await png())).status).toBe(401);
  expect((await anyone.delete('/api/user/picture')).status).toBe(401);
  for (const name of ['x', `${'0'.repeat(64)}.webp`, '..%2f..%2fsecret', `${'0'.repeat(64)}.png`]) {
    expect((await anyone.get(`/avatars/${name}`)).status).toBe(404);
  }
});

it('refuses a picture that another site sends', async () => {
  const person = await server.signIn();
  const answer = await person.put('/api/user/picture', new Uint8Array(await png()), {
    'content-type': 'image/png',
    origin: 'https://elsewhere.example',
  });
  expect(answer.status).toBe(403);
});
