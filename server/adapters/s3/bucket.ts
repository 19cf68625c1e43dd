/** One bucket of S3, or of a server that speaks its protocol. Every call has a time limit. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Account } from '../../settings/joint.ts';
import { BlobsUnavailable } from '../blobs.ts';

/** S3 refused, and will refuse again: the settings or the rights of the key are wrong. */
export class S3Refused extends BlobsUnavailable {}

const LIMITS = {
  /** Until an answer begins, with all attempts together. */
  answerMs: 10_000,
  /** For a call that sends bytes: 50 MB at 7 Mbit/s. */
  putMs: 60_000,
  /** How long a file that is being read may stand still. */
  stallMs: 15_000,
};
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;

/** Names are paths below the bucket, of letters, digits and `/_.-`, so they need no escaping. */
export type S3Bucket = ReturnType<typeof openBucket>;

type Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** If absent, the call is about the bucket itself. */
  name?: string;
  query?: Record<string, string>;
  range?: { start: number; end: number } | undefined;
  body?: Uint8Array<ArrayBuffer>;
  /** The object that S3 copies by itself. */
  copyOf?: string;
};

/** Nothing is called yet. Every function throws BlobsUnavailable, or S3Refused, which says what to correct. */
export function openBucket(account: S3Account, bucket: string, limits = LIMITS) {
  const { endpoint, region, accessKeyId, secretAccessKey } = account;
  const root = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;

  async function send({ method, name, query, range, body, copyOf }: Call, signal: AbortSignal) {
    const signed = await new AwsV4Signer({
      method,
      url: name === undefined ? `${root}?${new URLSearchParams(query).toString()}` : `${root}/${name}`,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
        ...(copyOf && { 'x-amz-copy-source': `/${bucket}/${copyOf}` }),
      },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    }).sign();
    // Not signed, because proxies change it. A compressed answer would have another length.
    signed.headers.set('accept-encoding', 'identity');
    return await fetch(signed.url, {
      method,
      headers: signed.headers,
      body: body ?? null,
      redirect: 'manual',
      signal,
    });
  }

  /** Sends again while S3 is busy or breaks the connection. `answer` reads the answer within the time limit. */
  async function call<T>(
    what: Call,
    answer: (response: Response, stop: AbortController) => T | Promise<T>,
  ): Promise<T> {
    const stop = new AbortController();
    const limitMs = what.method === 'PUT' ? limits.putMs : limits.answerMs;
    const timer = setTimeout(() => stop.abort(), limitMs);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const isLast = attempt === ATTEMPTS;
        try {
          const response = await send(what, stop.signal);
          if (isLast || (response.status < 500 && response.status !== 429))
            return await answer(response, stop);
          await response.body?.cancel();
        } catch (error) {
          if (error instanceof BlobsUnavailable) throw error;
          if (stop.signal.aborted)
            throw new BlobsUnavailable(`S3 did not answer within ${limitMs / 1000} s.`);
          if (isLast)
            throw new BlobsUnavailable(`S3 cannot be reached: ${reasonOf(error)}.`, { cause: error });
        }
        await pause(FIRST_PAUSE_MS * 2 ** attempt);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function explain({ method }: Call, response: Response): Promise<BlobsUnavailable> {
    const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? '';
    const answered = `S3 answered ${method} with ${`${response.status} ${code}`.trim()}`;
    if (code === 'NoSuchBucket')
      return new S3Refused(
        `S3_BUCKET names ${bucket}, which does not exist. Create it, or correct the name.`,
      );
    if (response.status >= 300 && response.status < 400)
      return new S3Refused(`${answered}. Set S3_REGION to the region of the bucket ${bucket}.`);
    if (response.status >= 500 || response.status === 429) return new BlobsUnavailable(`${answered}.`);
    return new S3Refused(
      `${answered}. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION, the clock of this machine, and that the key may list the bucket ${bucket} and read, write and delete its objects.`,
    );
  }

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
          stream: streamOf(response, length, stop, limits.stallMs),
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

/** `fetch` puts the reason into the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
