import { expect, it } from 'vitest';
import type { Client } from '../client.ts';
import { PASSWORD } from '../server.ts';
import { useServer } from '../starts/use-server.ts';

const server = useServer();

type Row = Record<string, unknown>;

async function rowsOf({ user }: Client): Promise<Row[]> {
  const [sessions, devices, events] = await Promise.all([
    server.app.pool.query<Row>(`select * from sessions where sess ->> 'userId' = $1::text`, [user.id]),
    server.app.pool.query<Row>('select * from known_devices where user_id = $1', [user.id]),
    server.app.pool.query<Row>('select * from security_events where user_id = $1', [user.id]),
  ]);
  return [...sessions.rows, ...devices.rows, ...events.rows];
}

/** Puts the length in place of each text, and the type in place of each number and time. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value === 'number') return 'number';
  if (value instanceof Date) return 'time';
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

it('leaves the rows and cookies of a real sign-in', async () => {
  const quick = await server.signIn('both', { email: 'first@sign-in.test' });
  const real = await server.signIn('both', { email: 'other@sign-in.test' });
  await real.post('/api/auth/logout');
  await server.app.pool.query('delete from known_devices where user_id = $1', [real.user.id]);
  await server.app.pool.query('delete from security_events where user_id = $1', [real.user.id]);
  const { cookie, device } = quick;
  Object.assign(real, { cookie: '', device: '' });
  const { body } = await real.post('/api/auth/login', { email: real.user.email, password: PASSWORD });

  const rows = await rowsOf(quick);
  expect(rows).toHaveLength(3);
  expect(rows.map(shapeOf)).toEqual((await rowsOf(real)).map(shapeOf));
  expect(rows[2]?.['network']).toBe((await rowsOf(real))[2]?.['network']);
  expect([cookie.length, device.length]).toEqual([real.cookie.length, real.device.length]);
  expect(shapeOf((await quick.get('/api/auth/user')).body)).toEqual(shapeOf(body.user));
});
