import { expect, it } from 'vitest';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer({ env: { OPERATOR_MAIL: 'ops@ads.example' } });

const UNKNOWN = [
  'metrics health healthz livez readyz ready status ping healthz/ Health',
  '.well-known/nothing .well-known/ .well-known wp-login.php .env a/b/backup.tar.gz',
  'no-such.ico?v=1 assets/none api/none m/none/none',
];

it.each(UNKNOWN.join(' ').split(' '))(
  'a program that requests /%s, where nothing is, gets 404 as JSON',
  async (path) => {
    const answer = await server.anyone().get(`/${path}`);
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not found' }]);
    expect((await server.anyone().send('HEAD', `/${path}`)).status).toBe(404);
  },
);

it('security.txt names the contact of the settings and expires within a year', async () => {
  const { status, headers, text } = await server.anyone().get('/.well-known/security.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2) as [string, string]),
  );
  expect(fields.get('Contact')).toBe('mailto:ops@ads.example');
  expect(fields.get('Canonical')).toBe(`${server.url}/.well-known/security.txt`);
  const days = (Date.parse(fields.get('Expires') ?? '') - server.ctx.realNow().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

it('change-password leads to the settings of the password', async () => {
  const { status, headers } = await server.anyone().get('/.well-known/change-password');
  expect([status, headers.get('location')]).toEqual([303, '/settings?tab=security']);
});

it.each(['/.well-known/openslot-ledger', '/api/openapi.json'])(
  'a page of another site can read %s, without credentials',
  async (path) => {
    const { headers } = await server.anyone().get(path, { origin: 'https://auditor.example' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    // No other answer can be read.
    const other = await server.anyone().get('/api/health', { origin: 'https://auditor.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  },
);
