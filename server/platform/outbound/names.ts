/** Looks names up in the DNS. */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

export type Names = {
  /** Finds the addresses of a host, for a connection. */
  lookup: LookupFunction;
  /** The TXT records of a name, [] if it has none, or null if the DNS did not answer. */
  txt: (name: string) => Promise<string[] | null>;
};

/** In milliseconds, for each of the tries. */
const TIMEOUT = 1500;
const TRIES = 2;

/** `servers` replaces the system's DNS servers, as 'address:port'. Tests answer as one. */
export function createNames(servers?: readonly string[]): Names {
  const resolver = new dns.promises.Resolver({ timeout: TIMEOUT, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return {
    // The system's own lookup also reads its hosts file.
    lookup: servers ? lookupBy(resolver) : dns.lookup,
    txt: async (name) => {
      try {
        const records = await resolver.resolveTxt(name);
        // A record longer than 255 bytes arrives in parts.
        return records.map((parts) => parts.join(''));
      } catch (error) {
        return isAbsent(error) ? [] : null;
      }
    },
  };
}

function lookupBy(resolver: dns.promises.Resolver): LookupFunction {
  const find = callbackify(async (hostname: string): Promise<dns.LookupAddress[]> => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  });
  return (hostname, options, callback) => {
    find(hostname, (error, found) => {
      const [first] = found ?? [];
      if (error) callback(error, '');
      else if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

/** Whether the DNS answered that there is no such name or no such record. */
function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === dns.NOTFOUND || code === dns.NODATA;
}
