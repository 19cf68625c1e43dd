/** The operator's list of known phishing hosts. [DEST-07] */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import type { Config } from '../settings/config.ts';
import { type ListFile, listFile, type ListLog } from './list-file.ts';

export type PhishingHosts = ListFile & {
  /** Whether the list has the host, or a domain that the host belongs to. */
  has: (host: string) => boolean;
  size: () => number;
  /** Returns true once after each load of the list. */
  takeChange: () => boolean;
};

/** How many lines to read at a time, so that a long list does not delay other requests. */
const LINES_AT_ONCE = 4000;

/** Nothing is listed without a file, and nothing is downloaded. */
export function createPhishingHosts(
  config: Pick<Config, 'phishingHostsFile' | 'dataDir'>,
  log: ListLog,
): PhishingHosts {
  const { phishingHostsFile } = config;
  let hosts: ReadonlySet<string> = new Set();
  let isChanged = true;
  const list = listFile({
    of: 'phishing hosts',
    file: phishingHostsFile ?? path.join(config.dataDir, 'phishing-hosts.txt'),
    setting: phishingHostsFile === undefined ? undefined : 'PHISHING_HOSTS_FILE',
    use: async (text) => {
      hosts = await readHosts(text);
      isChanged = true;
      return hosts.size;
    },
    unlisted: async () => {},
    log,
  });
  return {
    ...list,
    has: (host) => domainsOf(host).some((domain) => hosts.has(domain)),
    size: () => hosts.size,
    takeChange: () => {
      const wasChanged = isChanged;
      isChanged = false;
      return wasChanged;
    },
  };
}

/** 'a.b.example:8080' is in the domains 'a.b.example', 'b.example' and 'example'. */
function domainsOf(host: string): string[] {
  const labels = host.replace(/:\d+$/, '').split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** One host per line; `#` starts a comment. A line of a hosts file, '0.0.0.0 host', is read as well. */
export async function readHosts(text: string): Promise<Set<string>> {
  const hosts = new Set<string>();
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (number % LINES_AT_ONCE === 0) await setImmediate();
    const written = line.split('#', 1)[0]?.trim() ?? '';
    if (written === '') continue;
    const host = domainToASCII(written.replace(/^(?:0\.0\.0\.0|127\.0\.0\.1)\s+/, ''));
    if (!/^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(host))
      throw new Error(`Line ${number} is not a host: ${written.slice(0, 50)}`);
    hosts.add(host);
  }
  return hosts;
}
