import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readConfig, settingsInForce } from '../../server/platform/settings/config.ts';
import { newTemporaryFolder } from '../../server/testing/temporary.ts';

const GIVEN = {
  EVENT_LOG_URL: 'nats://user:pass@one:4222, nats://two',
  EVENT_LOG_MONITOR_URL: 'http://one:8222, http://two:8222/',
  EVENT_LOG_BYTES: '1048576',
};

// Proves OPS-10
it('are read from the environment, and the address from a file', () => {
  expect(readConfig(GIVEN)).toMatchObject({
    eventLogUrl: GIVEN.EVENT_LOG_URL,
    eventLogMonitorUrls: ['http://one:8222', 'http://two:8222'],
    eventLogBytes: 1_048_576,
  });
  const file = path.join(newTemporaryFolder('secrets'), 'address');
  writeFileSync(file, 'nats://user:pass@log\n');
  expect(readConfig({ EVENT_LOG_URL_FILE: file }).eventLogUrl).toBe('nats://user:pass@log');
});

it.each([
  ['EVENT_LOG_URL', 'redis://log'],
  ['EVENT_LOG_URL', 'log:4222'],
  ['EVENT_LOG_URL', 'nats://'],
  ['EVENT_LOG_URL', 'nats://log/stream'],
  ['EVENT_LOG_URL', 'nats://one,tls://two'],
  ['EVENT_LOG_URL', 'nats://one,'],
  ['EVENT_LOG_MONITOR_URL', 'one:8222'],
  ['EVENT_LOG_MONITOR_URL', 'nats://one:8222'],
  ['EVENT_LOG_MONITOR_URL', 'http://one:8222/varz'],
  ['EVENT_LOG_MONITOR_URL', 'http://one:8222,'],
  ['EVENT_LOG_BYTES', '1048575'],
  ['EVENT_LOG_BYTES', '1.5'],
  ['EVENT_LOG_BYTES', '1 GB'],
])('stop the start with a sentence that names %s when it is %j', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} (must|has) .+\\.$`));
});

// Proves OPS-14
it('show no password and no token', () => {
  const EVENT_LOG_URL = 'nats://person:hush@one:4222,nats://hush@two';
  const shown = settingsInForce({ EVENT_LOG_URL }).find(({ name }) => name === 'EVENT_LOG_URL');
  expect(shown?.value).toBe('nats://person:***@one:4222,nats://***@two');
});
