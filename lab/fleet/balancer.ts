/** HAProxy with deploy/haproxy.cfg, for the servers of all hosts and with TLS. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/node.mjs';
import { searchProxy } from '../../server/testing/programs/proxies.ts';
import type { Program } from './scenes.ts';

/** `servers`: the lines of HAProxy's servers. The certificate is in `folder`. */
export function balancerOf(folder: string, port: number, servers: readonly string[]): Program {
  const certificate = path.join(folder, 'certificate.pem');
  const key = path.join(folder, 'key.pem');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ],
    { stdio: 'ignore' },
  );
  const both = path.join(folder, 'both.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const configuration = path.join(folder, 'haproxy.cfg');
  writeFileSync(
    configuration,
    readFileSync(path.join(root, 'deploy/haproxy.cfg'), 'utf8')
      .replace(/^ {2}(?:user|group) haproxy\n/gm, '')
      .replace('bind :80', `bind 127.0.0.1:${port} ssl crt ${both}`)
      .replaceAll(/^ {2}server a .*\n {2}server b .*$/gm, servers.join('\n')),
  );
  let child: ChildProcess | undefined;
  return {
    signal: (name) => void child?.kill(name),
    start: async () => {
      const haproxy = await searchProxy('haproxy');
      if (haproxy === null) throw new Error('There is no HAProxy');
      child = spawn(haproxy.program, ['-db', '-f', configuration], { stdio: 'ignore', env: haproxy.env });
      await pause(500);
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`);
    },
  };
}
