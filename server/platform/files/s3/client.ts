/** Calls of S3, or of a server that speaks its protocol: signed, sent again while S3 is busy, and limited in time. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Account } from '../../settings/joint.ts';
import { BlobsUnavailable } from '../blobs.ts';

/** S3 refused, and will refuse again: the settings or the rights of the key are wrong. */
export class S3Refused extends BlobsUnavailable {}

export const LIMITS = {
  /** Until an answer begins, with all attempts together. */
  answerMs: 10_000,
  /** For a call that sends bytes: 50 MB at 7 Mbit/s. */
  putMs: 60_000,
  /** How long a file that is being read may stand still. */
  stallMs: 15_000,
};
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;

export type Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** If absent, the call is about the bucket itself. */
  name?: string;
  query?: Record<string, string>;
  range?: { start: number; end: number } | undefined;
  body?: Uint8Array<ArrayBuffer>;
  /** The object that S3 copies by itself. */
  copyOf?: string;
};

export type S3Client = {
  /** Calls S3. `answer` reads the answer within the time limit. `stop` breaks off the connection. */
  call: <T>(what: Call, answer: (response: Response, stop: AbortController) => T | Promise<T>) => Promise<T>;
  /** Why S3 refused this call. */
  explain: (what: Call, response: Response) => Promise<BlobsUnavailable>;
  /** How long a file that is being read may stand still, in milliseconds. */
  stallMs: number;
};

export function createClient(account: S3Account, bucket: string, limits = LIMITS): S3Client {
  /** Sends again while S3 is busy or breaks the connection. */
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
          const response = await send(account, bucket, what, stop.signal);
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

  return {
    call,
    explain: async (what, response) => await explain(bucket, what, response),
    stallMs: limits.stallMs,
  };
}

async function send(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Account,
  bucket: string,
  { method, name, query, range, body, copyOf }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const root = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
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

async function explain(bucket: string, { method }: Call, response: Response): Promise<BlobsUnavailable> {
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? '';
  const answered = `S3 answered ${method} with ${`${response.status} ${code}`.trim()}`;
  if (code === 'NoSuchBucket')
    return new S3Refused(`S3_BUCKET names ${bucket}, which does not exist. Create it, or correct the name.`);
  if (response.status >= 300 && response.status < 400)
    return new S3Refused(`${answered}. Set S3_REGION to the region of the bucket ${bucket}.`);
  if (response.status >= 500 || response.status === 429) return new BlobsUnavailable(`${answered}.`);
  return new S3Refused(
    `${answered}. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION, the clock of this machine, and that the key may list the bucket ${bucket} and read, write and delete its objects.`,
  );
}

/** `fetch` puts the reason into the cause. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
