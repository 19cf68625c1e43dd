import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { UploadedFile } from '#domain/media/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { CLIP, png } from '#server/testing/pictures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useServer();
let person: Client;

async function uploaded(who: Client, bytes: Uint8Array, type = 'image/png'): Promise<UploadedFile> {
  const { uploadURL } = (await who.post('/api/ad-images/upload')).body;
  const answer = await who.put(uploadURL, bytes, { 'content-type': type });
  expect(answer.status).toBe(200);
  return answer.body;
}

// Proves ENT-33, API-46, MED-15, OP-090
it('lists the user’s own images, newest first', async () => {
  person = await server.signIn('buyer');
  const [first, second] = [
    await uploaded(person, await png(10, 10)),
    await uploaded(person, await png(11, 11)),
  ];
  const saved = await person.post('/api/media-library', {
    imagePath: first.path,
    filename: 'first.png',
    fileSize: 1,
  });
  expect(saved.status).toBe(201);
  expect(saved.body).toMatchObject({
    imagePath: first.path,
    path: first.path,
    filename: 'first.png',
    fileSize: first.fileSize,
    usageCount: 0,
  });
  await person.post('/api/media-library', {
    imagePath: second.path,
    filename: 'second.png',
    fileSize: second.fileSize,
  });
  const listed = await person.get('/api/media-library');
  expect(listed.status).toBe(200);
  expect(listed.body.map((item: { filename: string }) => item.filename)).toEqual(['second.png', 'first.png']);
  expect(listed.body[1]).toEqual(saved.body);

  const page = await person.get('/api/media-library?limit=1');
  const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  const { pathname, search } = new URL(next, server.url);
  expect([page.body, (await person.get(pathname + search)).body].flat()).toEqual(listed.body);

  const stranger = await server.signIn('both');
  expect((await stranger.get('/api/media-library')).body).toEqual([]);
  expect((await server.anyone().get('/api/media-library')).status).toBe(401);
});

// Proves API-46, OP-089, OP-090
it('stores an image once, and restores a removed one', async () => {
  const owner = await server.signIn('seller');
  const { path, fileSize } = await uploaded(owner, await png());
  const save = (filename: string) =>
    owner.post('/api/media-library', { imagePath: path, filename, fileSize });
  const answers = await Promise.all(Array.from({ length: 10 }, () => save('same.png')));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect((await owner.get('/api/media-library')).body).toHaveLength(1);

  await server.ctx.db
    .updateTable('mediaLibrary')
    .set({ isDeleted: true })
    .where('imagePath', '=', path)
    .execute();
  expect((await owner.get('/api/media-library')).body).toEqual([]);
  expect((await save('again.png')).status).toBe(201);
  expect((await owner.get('/api/media-library')).body).toMatchObject([{ filename: 'again.png' }]);
});

// Proves API-46, OP-089
it('refuses a file that the caller did not upload, and a video', async () => {
  const owner = await server.signIn('buyer');
  const image = await uploaded(owner, await png());
  const video = await uploaded(owner, CLIP, 'video/mp4');
  const unused = (await owner.post('/api/ad-images/upload')).body.uploadURL.replace(/^.*\//, '/ad-images/');
  const item = { imagePath: image.path, filename: 'a.png', fileSize: 5 };
  const save = (who: Client, fields: object) => who.post('/api/media-library', { ...item, ...fields });

  expect((await save(await server.signIn('buyer'), {})).status).toBe(404);
  expect((await save(owner, { imagePath: unused })).status).toBe(404);
  expect((await save(owner, { imagePath: video.path })).status).toBe(400);
  for (const fields of [
    { imagePath: undefined },
    { imagePath: 'https://elsewhere.example/x.png' },
    { imagePath: '/ad-images/../x' },
    { filename: ' ' },
    { filename: 'x'.repeat(256) },
    { fileSize: -1 },
    { fileSize: 'big' },
  ]) {
    expect((await save(owner, fields)).status).toBe(400);
  }
  expect((await save(server.anyone(), {})).status).toBe(401);
  expect((await owner.get('/api/media-library')).body).toEqual([]);
});

// Proves ENT-33, OP-090
it('counts the user’s own ads that use an image', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const other = await server.signIn('buyer');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), {
    adType: 'image',
  });
  const [used, unused] = [
    await uploaded(buyer, await png(300, 250)),
    await uploaded(buyer, await png(300, 250)),
  ];
  for (const { path } of [used, unused]) {
    await buyer.post('/api/media-library', { imagePath: path, filename: 'x.png', fileSize: 1 });
  }
  await makeAd(buyer, product, { imageUrl: used.path });
  await makeAd(buyer, product, { imageUrl: used.path });
  await makeAd(other, product, { imageUrl: (await uploaded(other, await png(300, 250))).path });
  expect((await buyer.get('/api/media-library')).body).toMatchObject([
    { imagePath: unused.path, usageCount: 0 },
    { imagePath: used.path, usageCount: 2 },
  ]);
});

// Proves OP-087
it.each([
  ['a stored file without its type and size', 'stored_at = now()'],
  ['a file of an unsupported type', "content_type = 'image/svg+xml'"],
  [
    'an image with a width of zero',
    "stored_at = now(), content_type = 'image/png', byte_size = 1, width = 0, height = 1, rendition = 'x'",
  ],
])('refuses %s by a constraint of the database', async (_what, change) => {
  const owner = await server.signIn('buyer');
  await owner.post('/api/ad-images/upload');
  const update = sql`update uploads set ${sql.raw(change)} where user_id = ${owner.user.id}`;
  await expect(update.execute(server.ctx.db)).rejects.toMatchObject({ code: '23514' });
});
