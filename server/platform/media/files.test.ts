import http from 'node:http';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UploadedFile } from '#domain/media/contract.ts';
import { type Client, sendNoBody } from '#server/testing/client.ts';
import { CLIP, clipOfSize, gif, jpegFromPhone, png, pngOfSize } from '#server/testing/pictures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { receiveFile } from './receive.ts';
import { openRendition } from './serve.ts';
import { findOwnUpload, openUpload, removeStaleUploads, renditionOf } from './uploads.ts';

const server = useOwnServer();
let person: Client;
beforeAll(async () => {
  person = await server.signIn('buyer');
});

async function address(who = person): Promise<string> {
  const answer = await who.post('/api/ad-images/upload');
  expect(answer.status).toBe(200);
  return answer.body.uploadURL;
}

const put = (
  url: string,
  bytes: Uint8Array | string,
  type = 'image/png',
  headers: Record<string, string> = {},
) => server.anyone().put(url, bytes, { 'content-type': type, ...headers });

async function upload(bytes: Uint8Array, type = 'image/png'): Promise<UploadedFile> {
  const answer = await put(await address(), bytes, type);
  expect(answer.status).toBe(200);
  return answer.body;
}

const fetchBytes = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, server.url), { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

const row = (url: string) =>
  server.ctx.db
    .selectFrom('uploads')
    .selectAll()
    .where('name', '=', url.slice(url.lastIndexOf('/') + 1))
    .executeTakeFirst();

describe('an upload address', () => {
  // Proves API-42, OP-087
  it('is issued to signed-in users, unguessable and for 15 minutes', async () => {
    const url = await address();
    expect(url).toMatch(new RegExp(`^${server.url}/api/uploads/[A-Za-z0-9_-]{22}$`));
    expect(await address()).not.toBe(url);
    const stored = await row(url);
    expect(stored).toMatchObject({ userId: person.user.id, storedAt: null });
    const lifetime = (stored?.expiresAt.getTime() ?? 0) - server.clock.now().getTime();
    expect(lifetime).toBeGreaterThan(14 * 60_000);
    expect(lifetime).toBeLessThanOrEqual(15 * 60_000);
    expect((await address(await server.signIn('seller'))).length).toBe(url.length);
    expect(await server.anyone().post('/api/ad-images/upload')).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
    });
  });

  // Proves API-42
  it('contains the loopback host name that the browser opened', async () => {
    const here = await person.post(server.url.replace('127.0.0.1', 'localhost') + '/api/ad-images/upload');
    expect(here.body.uploadURL).toContain('http://localhost:');
  });

  it('has the protocol of the marketplace, because a proxy may end TLS', async () => {
    const config = { ...server.ctx.config, publicUrl: 'https://localhost:8443' };
    const who = { id: person.user.id, role: 'buyer' } as const;
    const { uploadURL } = await openUpload({ ...server.ctx, config }, who, {}, { host: '127.0.0.1:8443' });
    expect(uploadURL).toMatch(/^https:\/\/127\.0\.0\.1:8443\/api\/uploads\//);
  });

  // Proves API-43, MED-14
  it('accepts one PUT, after which the image has the last segment as its name', async () => {
    const url = await address();
    const picture = await png(64, 32);
    const answer = await put(url, picture);
    const path = `/ad-images/${url.slice(url.lastIndexOf('/') + 1)}`;
    expect(answer).toMatchObject({
      status: 200,
      body: {
        path,
        contentType: 'image/png',
        fileSize: picture.length,
        width: 64,
        height: 32,
        durationMs: null,
      },
    });
    const { response, bytes } = await fetchBytes(path);
    expect(response.status).toBe(200);
    expect(bytes.equals(picture)).toBe(true);
  });

  // Proves API-43, OP-087
  it('refuses a second file and keeps the first', async () => {
    const url = await address();
    const first = await png(10, 10);
    expect((await put(url, first)).status).toBe(200);
    const again = await put(url, await png(20, 20));
    expect(again).toMatchObject({ status: 409, body: { message: expect.any(String) } });
    expect((await fetchBytes(url.replace('/api/uploads/', '/ad-images/'))).bytes.equals(first)).toBe(true);
  });

  // Proves API-43, OP-087
  it('stores exactly one of ten parallel files completely', async () => {
    const url = await address();
    const files = await Promise.all(Array.from({ length: 10 }, (_, n) => png(100 + n, 100)));
    const answers = await Promise.all(files.map((file) => put(url, file)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(9).fill(409),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { bytes } = await fetchBytes(url.replace('/api/uploads/', '/ad-images/'));
    expect(bytes.equals(files[winner] as Buffer)).toBe(true);
    expect(await row(url)).toMatchObject({ width: 100 + winner, byteSize: files[winner]?.length });
  });

  // Proves OP-087
  it('answers 404 after 15 minutes, and for an unknown name', async () => {
    const url = await address();
    server.clock.advance(15 * 60_000);
    expect((await put(url, await png())).status).toBe(404);
    expect(await row(url)).toMatchObject({ storedAt: null });
    for (const name of ['A'.repeat(22), 'x', '%00', '..%2f..%2fetc', 'A'.repeat(64)]) {
      expect((await put(`${server.url}/api/uploads/${name}`, await png())).status).toBe(404);
    }
  });

  // Proves OP-087
  it('accepts a file that started in time, however long it takes to arrive', async () => {
    const name = (await address()).split('/').at(-1) as string;
    const bytes = await png();
    const body = Readable.from(
      (async function* slowly() {
        yield bytes.subarray(0, 20);
        server.clock.advance(16 * 60_000);
        yield bytes.subarray(20);
      })(),
    );
    const file = { body, declaredType: 'image/png', declaredLength: bytes.length };
    expect(await receiveFile(server.ctx, name, file)).toMatchObject({ fileSize: bytes.length });
  });

  // Proves OP-087
  it('holds at most four videos of one account in memory', async () => {
    const video = { declaredType: 'video/mp4', declaredLength: 52_428_800 };
    const bodies = Array.from({ length: 4 }, () => new Readable({ read() {} }));
    const urls = await Promise.all(bodies.map(() => address()));
    const waiting = bodies.map((body, n) =>
      receiveFile(server.ctx, urls[n]?.split('/').at(-1) as string, { ...video, body }).catch(() => {}),
    );
    await expect.poll(() => bodies.every((body) => body.listenerCount('data') > 0)).toBe(true);
    const another = await address();
    expect((await put(another, await png())).status).toBe(429);
    expect((await put(await address(await server.signIn()), await png())).status).toBe(200);
    for (const body of bodies) body.destroy();
    await Promise.all(waiting);
    expect((await put(another, await png())).status).toBe(200);
  });

  // Proves OP-087
  it('still works after a refused or interrupted upload', async () => {
    const url = await address();
    expect((await put(url, 'no image')).status).toBe(415);
    expect((await put(url, '')).status).toBe(400);
    await sendHalf(url, await png(300, 300));
    expect(await row(url)).toMatchObject({ storedAt: null, contentType: null, rendition: null });
    expect((await fetchBytes(url.replace('/api/uploads/', '/ad-images/'))).response.status).toBe(404);
    expect((await put(url, await png())).status).toBe(200);
  });

  // Proves OP-087
  it('refuses a request without a body, and then accepts a file', async () => {
    const url = await address();
    expect(await sendNoBody(server.anyone(), 'PUT', url, 'image/png')).toBe(400);
    expect(await sendNoBody(person, 'PUT', '/api/user/picture', 'image/png')).toBe(400);
    expect((await put(url, await png(8, 8))).status).toBe(200);
  });

  // Proves OP-035
  it('accepts files from the server’s own pages and from programs, not from other sites', async () => {
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    expect((await put(await address(), await png(), 'image/png', own)).status).toBe(200);
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await put(await address(), await png(), 'image/png', foreign)).status).toBe(403);
  });
});

/** Breaks the connection in the middle of the body. */
function sendHalf(url: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(url, {
      method: 'PUT',
      headers: { 'content-type': 'image/png', 'content-length': String(bytes.length) },
    });
    request.on('error', () => resolve());
    request.write(bytes.subarray(0, bytes.length / 2), () => request.destroy());
  });
}

describe('an upload', () => {
  // Proves MED-12, MED-09, OP-088
  it('may have 10485760 bytes, and is refused with one more', async () => {
    expect(await upload(await pngOfSize(10_485_760))).toMatchObject({ fileSize: 10_485_760 });
    const url = await address();
    const tooMuch = await put(url, await pngOfSize(10_485_761));
    expect(tooMuch).toMatchObject({ status: 413, body: { message: expect.stringContaining('10 MB') } });
    expect(await row(url)).toMatchObject({ storedAt: null });
  });

  // Proves MED-12
  it('is refused with 413 when it is too long, even without a declared length', async () => {
    const url = await address();
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(url, { method: 'PUT', headers: { 'content-type': 'image/png' } });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      for (let sent = 0; sent <= 11; sent++) request.write(Buffer.alloc(1024 * 1024));
      request.end();
    });
    expect(answer).toBe(413);
  });

  // Proves GEN-16, OP-055
  it('may have 50 MB if it is an MP4 and is declared as one', async () => {
    const video = clipOfSize(12 * 1024 * 1024);
    expect(await upload(video, 'video/mp4')).toMatchObject({ contentType: 'video/mp4', durationMs: 3000 });
    expect((await put(await address(), video, 'image/png')).status).toBe(413);
    expect((await put(await address(), clipOfSize(52_428_801), 'video/mp4')).status).toBe(413);
    // A declared type of MP4 does not lift the limit for images.
    expect((await put(await address(), await pngOfSize(10_485_761), 'video/mp4')).status).toBe(413);
  });

  // Proves MED-09, MED-10
  it('is judged by its content, whatever type is declared', async () => {
    for (const type of ['application/octet-stream', 'text/html', 'image/gif', 'application/json']) {
      const answer = await put(await address(), await png(), type);
      expect(answer).toMatchObject({ status: 200, body: { contentType: 'image/png' } });
    }
    // A browser sends no type for a file that it does not recognize.
    expect((await server.anyone().put(await address(), await png())).status).toBe(200);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const disguise of [svg, '<!doctype html><script>alert(1)</script>', 'text']) {
      for (const type of ['image/png', 'image/svg+xml', 'video/mp4']) {
        const answer = await put(await address(), disguise, type);
        expect(answer).toMatchObject({
          status: 415,
          body: { message: expect.stringContaining('JPEG, PNG or GIF') },
        });
      }
    }
  });
});

describe('an uploaded file', () => {
  // Proves MED-14, OP-087
  it('is served unchanged with its true type and headers that keep it from running', async () => {
    const files = {
      'image/png': await png(),
      'image/jpeg': await jpegFromPhone(),
      'image/gif': await gif(3),
      'video/mp4': CLIP,
    };
    for (const [type, file] of Object.entries(files)) {
      const { path } = await upload(file, type);
      const { response, bytes } = await fetchBytes(path);
      expect(bytes.equals(file)).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(file.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(response.headers.has('set-cookie')).toBe(false);
    }
  });

  // Proves MED-14, OP-038
  it('is public, while an unknown name answers 404', async () => {
    const { path } = await upload(await png());
    const head = await server.anyone().send('HEAD', path);
    expect(head.status).toBe(200);
    for (const name of ['A'.repeat(22), 'x', '%00', '..%2fsecret', `${path.slice('/ad-images/'.length)}x`]) {
      const answer = await server.anyone().get(`/ad-images/${name}`);
      expect(answer).toMatchObject({ status: 404, body: { message: expect.any(String) } });
      expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable');
    }
  });

  // Proves GEN-16
  it('is served in ranges, so that viewers can seek in a video', async () => {
    const { path } = await upload(CLIP, 'video/mp4');
    const part = async (range: string) => {
      const { response, bytes } = await fetchBytes(path, { range });
      return [response.status, response.headers.get('content-range'), bytes] as const;
    };
    const size = CLIP.length;
    expect(await part('bytes=0-99')).toEqual([206, `bytes 0-99/${size}`, CLIP.subarray(0, 100)]);
    expect(await part('bytes=100-')).toEqual([206, `bytes 100-${size - 1}/${size}`, CLIP.subarray(100)]);
    expect(await part('bytes=-7')).toEqual([206, `bytes ${size - 7}-${size - 1}/${size}`, CLIP.subarray(-7)]);
    expect(await part(`bytes=0-${size * 2}`)).toEqual([206, `bytes 0-${size - 1}/${size}`, CLIP]);
    expect((await part(`bytes=${size}-`)).slice(0, 2)).toEqual([416, `bytes */${size}`]);
    expect((await part('bytes=-0')).slice(0, 2)).toEqual([416, `bytes */${size}`]);
    for (const ignored of ['bytes=5-1', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=-', 'bytes=a-b']) {
      expect((await part(ignored))[0]).toBe(200);
    }
  });

  // Proves OP-087
  it('is shown on other sites as a rendition, which is named by its hash', async () => {
    const original = await jpegFromPhone(80, 40);
    const { path } = await upload(original, 'image/jpeg');
    const video = await upload(CLIP, 'video/mp4');
    const renditions = await renditionOf(server.ctx.db, [
      path,
      video.path,
      `/ad-images/${'A'.repeat(22)}`,
      'https://x.example/y',
    ]);
    expect([...renditions.keys()].toSorted()).toEqual([path, video.path].toSorted());
    expect(renditions.get(path)).toMatchObject({ contentType: 'image/jpeg', width: 40, height: 80 });

    const image = await openRendition(server.ctx, renditions.get(path)?.file ?? '', {});
    expect(image).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/jpeg',
        'content-disposition': 'inline; filename="image.jpeg"',
      },
    });
    const shown = Buffer.concat((await image?.body?.toArray()) ?? []);
    expect(shown.includes('SecretCamera')).toBe(false);
    expect(original.includes('SecretCamera')).toBe(true);

    const part = await openRendition(server.ctx, renditions.get(video.path)?.file ?? '', {
      range: 'bytes=0-9',
    });
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-type': 'video/mp4', 'content-length': '10' },
    });
    expect(Buffer.concat((await part?.body?.toArray()) ?? [])).toEqual(CLIP.subarray(0, 10));
    for (const file of [
      '',
      '../uploads/x',
      `${'a'.repeat(64)}.png`,
      `${'a'.repeat(64)}.svg`,
      `${'A'.repeat(64)}.png`,
    ]) {
      expect(await openRendition(server.ctx, file, {})).toBeNull();
    }
  });

  // Proves OP-089
  it('belongs to its uploader only', async () => {
    const { path } = await upload(await png());
    expect(await findOwnUpload(server.ctx.db, person.user.id, path)).toMatchObject({
      contentType: 'image/png',
    });
    expect(await findOwnUpload(server.ctx.db, person.user.id + 1, path)).toBeNull();
    expect(await findOwnUpload(server.ctx.db, person.user.id, 'https://elsewhere.example/x.png')).toBeNull();
    const unused = (await address()).replace(`${server.url}/api/uploads`, '/ad-images');
    expect(await findOwnUpload(server.ctx.db, person.user.id, unused)).toBeNull();
  });
});

// Proves OP-087
it('removes expired upload addresses that were never used, and keeps files', async () => {
  const { path } = await upload(await png());
  const [stale, fresh] = [await address(), await address()];
  server.clock.advance(2 * 60 * 60_000);
  const late = await address();
  expect(await removeStaleUploads(server.ctx)).toBeGreaterThanOrEqual(2);
  expect(await row(stale)).toBeUndefined();
  expect(await row(fresh)).toBeUndefined();
  expect(await row(late)).toBeDefined();
  expect((await fetchBytes(path)).response.status).toBe(200);
  expect(await removeStaleUploads(server.ctx)).toBe(0);
});

it('finds unused upload addresses by an index, however many files are stored', async () => {
  await sql`
    insert into uploads (name, user_id, expires_at, stored_at, content_type, byte_size, width, height, rendition)
      select 'stored-' || n, ${person.user.id}, now(), now(), 'image/png', 1, 1, 1, 'x' from generate_series(1, 20000) n
  `.execute(server.ctx.db);
  await sql`analyze uploads`.execute(server.owner);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain delete from uploads where stored_at is null and expires_at < now()`.execute(server.ctx.db);
  expect(rows.map((row) => Object.values(row)[0]).join('\n')).toContain('uploads_never_stored');
});
