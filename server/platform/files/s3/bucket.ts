/** One bucket of S3, or of a server that speaks its protocol. Every call has a time limit. */
import { Readable } from 'node:stream';
import type { S3Account } from '../../settings/joint.ts';
import { BlobsUnavailable } from '../blobs.ts';
import { type Call, createClient, LIMITS, reasonOf, type S3Client } from './client.ts';

/** Names are paths below the bucket, of letters, digits and `/_.-`, so they need no escaping. */
export type S3Bucket = ReturnType<typeof openBucket>;

/** Nothing is called yet. Every function throws BlobsUnavailable, or S3Refused, which says what to correct. */
export function openBucket(account: S3Account, bucket: string, limits = LIMITS) {
  const client = createClient(account, bucket, limits);
  return { ...objectCalls(client), ...listCalls(client) };
}

function objectCalls({ call, explain, stallMs }: S3Client) {
  return {
    /** The object exists completely when this resolves, or not at all. */
    async put(name: string, bytes: Uint8Array): Promise<void> {
      const what: Call = { method: 'PUT', name, body: new Uint8Array(bytes) };
      await call(what, async (response) => {
        if (!response.ok) throw await explain(what, response);
        await response.body?.cancel();
      });
    },

    /** In bytes, or null if there is no such object. */
    async size(name: string): Promise<number | null> {
      const what: Call = { method: 'HEAD', name };
      return await call(what, async (response) => {
        if (response.status === 404) return null;
        if (!response.ok) throw await explain(what, response);
        return lengthOf(response.headers.get('content-length'));
      });
    },

    /** Returns null if there is no such object. `size` is that of the whole object. The stream fails if it ends early. */
    async read(
      name: string,
      range?: { start: number; end: number },
    ): Promise<{ size: number; stream: Readable } | null> {
      const what: Call = { method: 'GET', name, range };
      return await call(what, async (response, stop) => {
        if (response.status !== (range ? 206 : 200)) {
          const error = await explain(what, response);
          if (response.status === 404 && !error.message.startsWith('S3_BUCKET')) return null;
          throw error;
        }
        const length = lengthOf(response.headers.get('content-length'));
        const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
        return {
          size: range ? lengthOf(whole) : length,
          stream: streamOf(response, length, stop, stallMs),
        };
      });
    },

    /** Does nothing if there is no such object. */
    async delete(name: string): Promise<void> {
      const what: Call = { method: 'DELETE', name };
      await call(what, async (response) => {
        if (!response.ok && response.status !== 404) throw await explain(what, response);
        await response.body?.cancel();
      });
    },

    /** Copies an object of this bucket, at most 5 GB long. S3 may answer 200 and report a failure in the text. */
    async copy(from: string, to: string): Promise<void> {
      const what: Call = { method: 'PUT', name: to, copyOf: from };
      await call(what, async (response) => {
        if (!response.ok) throw await explain(what, response);
        if (!(await response.text()).includes('<ETag>'))
          throw new BlobsUnavailable(`S3 did not copy ${from}.`);
      });
    },
  };
}

function listCalls({ call, explain }: S3Client) {
  /** The answers to a list, each with up to a thousand objects. */
  async function* pages(query: Record<string, string>): AsyncGenerator<string> {
    let next: Record<string, string> = {};
    do {
      const what: Call = { method: 'GET', query: { 'list-type': '2', ...query, ...next } };
      const page = await call(what, async (response) => {
        if (!response.ok) throw await explain(what, response);
        return await response.text();
      });
      yield page;
      const token = elementOf(page, 'NextContinuationToken');
      next = token === undefined ? {} : { 'continuation-token': token };
    } while (next['continuation-token'] !== undefined);
  }

  return {
    /** The objects whose names begin with `prefix`. Sizes are in bytes. */
    async *list(prefix: string): AsyncGenerator<{ name: string; size: number }> {
      for await (const page of pages({ prefix })) {
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield { name: elementOf(object, 'Key') ?? '', size: lengthOf(elementOf(object, 'Size')) };
      }
    },

    /** What stands for folders and files directly below `prefix`, which is empty or ends in '/'. Without a final '/'. */
    async folders(prefix: string): Promise<string[]> {
      const names: string[] = [];
      for await (const page of pages({ prefix, delimiter: '/' })) {
        for (const [, element = ''] of page.matchAll(
          /<(?:Contents|CommonPrefixes)>(.*?)<\/(?:Contents|CommonPrefixes)>/gs,
        ))
          names.push((elementOf(element, 'Key') ?? elementOf(element, 'Prefix') ?? '').replace(/\/$/, ''));
      }
      return names;
    },
  };
}

/** Reads at the pace of the reader. Only the waiting for S3 is limited, because a slow visitor may take minutes. */
function streamOf(response: Response, length: number, stop: AbortController, stallMs: number): Readable {
  async function* chunks() {
    let left = length;
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
    while (reader) {
      const timer = setTimeout(() => stop.abort(), stallMs);
      const { done, value } = await reader
        .read()
        .catch((error: unknown) => {
          throw new BlobsUnavailable(`S3 broke off a file: ${reasonOf(error)}.`, { cause: error });
        })
        .finally(() => clearTimeout(timer));
      if (done) break;
      left -= value.length;
      yield value;
    }
    if (left !== 0) throw new BlobsUnavailable('S3 broke off a file.');
  }
  const stream = Readable.from(chunks(), { objectMode: false });
  return stream.once('close', () => stop.abort());
}

function lengthOf(text: string | null | undefined): number {
  if (!/^\d+$/.test(text ?? '')) throw new BlobsUnavailable('S3 answered without the length of the file.');
  return Number(text);
}

function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&amp;', '&');
}
