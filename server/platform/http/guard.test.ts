import { expect, it } from 'vitest';
import { ANOTHER_USER, SHOWN_USER } from '#domain/endpoint.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { png } from '#server/testing/pictures.ts';

const server = useServer();

// Proves EASE-01
it('refuses changing calls of a page that shows another user than the session’s, and changes nothing', async () => {
  const first = await server.signIn('both');
  const second = await server.signIn('both');
  const stale = { [SHOWN_USER]: String(first.user.id) };
  const site = { name: 'Mine', url: 'https://mine.example', category: 'Food' };
  const picture = { ...stale, 'content-type': 'image/png' };
  for (const refused of [
    await second.post('/api/websites', site, stale),
    await second.patch('/api/user/profile', { firstName: 'Wrong' }, stale),
    await second.send('PUT', '/api/user/picture', await png(64, 64), picture),
    await second.post('/api/auth/logout', undefined, stale),
  ]) {
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: ANOTHER_USER, message: expect.stringContaining('Reload') });
  }
  expect((await second.get('/api/websites/my')).body).toEqual([]);
  expect((await second.get('/api/auth/user', stale)).body).toMatchObject({ id: second.user.id });

  const own = { [SHOWN_USER]: String(second.user.id) };
  expect((await second.post('/api/websites', site, own)).status).toBe(201);
  expect((await second.post('/api/websites', { ...site, url: 'https://more.example' })).status).toBe(201);
});

// Proves EASE-01
it('answers 401 to a page whose session has ended, whichever user it shows', async () => {
  const gone = server.anyone();
  expect((await gone.post('/api/websites', {}, { [SHOWN_USER]: '1' })).status).toBe(401);
});
