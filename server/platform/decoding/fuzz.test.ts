/**
 * Mutated files for the decoders. `npm run lab fuzz -- decoders` sends more of them, and FUZZ_SEED repeats a run. A decoder
 * answers with a result or a refusal; it neither fails nor has to be ended.
 */
import { afterAll, expect, it } from 'vitest';
import { randomOf, type Random } from '#server/testing/fuzz.ts';
import { CLIP, gif, jpegFromPhone, LOGO_SVG, png, video } from '#server/testing/pictures.ts';
import { createDecoders } from './decoders.ts';
import { Refusal } from './kinds.ts';

const FILES = Number(process.env.FUZZ_FILES ?? 60);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);

const decoders = createDecoders();
afterAll(async () => await decoders.close());

type Original = { name: string; bytes: Buffer; decode: (bytes: Buffer) => Promise<unknown> };

async function originals(): Promise<Original[]> {
  const decodeVideo = (bytes: Buffer) => decoders.decode('video', bytes, undefined);
  const image = (name: 'png' | 'jpeg' | 'gif', bytes: Buffer): Original => ({
    name,
    bytes,
    decode: (mutated) => decoders.decode('image', mutated, { kind: name }),
  });
  return [
    { name: 'clip', bytes: CLIP, decode: decodeVideo },
    { name: '30 seconds', bytes: video('30-seconds'), decode: decodeVideo },
    image('png', await png(60, 40)),
    image('jpeg', await jpegFromPhone(60, 40)),
    image('gif', await gif(3)),
    {
      name: 'logo',
      bytes: Buffer.from(LOGO_SVG),
      decode: async (bytes) => {
        const clean = await decoders.decode('svg', bytes, undefined);
        const text = Buffer.from(clean.bytes).toString();
        if (/<script|\son\w+=|url\((?!["']?#)|\/\/(?!www\.w3\.org\/2000\/svg")/i.test(text))
          throw new Error(`Not clean: ${text}`);
        return await decoders.decode('rendition', clean.bytes, {
          box: { width: 64, height: 64 },
          enlarge: true,
        });
      },
    },
    {
      name: 'page',
      bytes: Buffer.from(
        '<!doctype html><meta charset="utf-8"><title>Name</title><meta name="description" content="Words"><link rel="icon" href="/a.png" sizes="192x192">',
      ),
      decode: (bytes) =>
        decoders.decode('page', bytes, { contentType: 'text/html', url: 'https://site.example/' }),
    },
  ];
}

/** Numbers at which decoders fail: the ends of their ranges, and counts that a small file cannot have. */
const NUMBERS = [0, 1, 2, 0x7f, 0xff, 0x7fff, 0xffff, 0x10_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

const CHANGES: ((bytes: Buffer, random: (below: number) => number) => Buffer)[] = [
  (bytes, random) => {
    bytes[random(bytes.length)] = random(256);
    return bytes;
  },
  (bytes, random) => {
    bytes[random(bytes.length)]! ^= 1 << random(8);
    return bytes;
  },
  (bytes, random) => {
    bytes.writeUInt32BE(NUMBERS[random(NUMBERS.length)]!, random(bytes.length - 4));
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, 20 + random(bytes.length - 20)),
  (bytes, random) => {
    const from = random(bytes.length);
    const part = bytes.subarray(from, from + 1 + random(64));
    const to = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
  },
  (bytes, random) => {
    const from = random(bytes.length - 20);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(16))]);
  },
];

function mutate(original: Buffer, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(original);
  const below = (max: number) => Math.floor(random() * max);
  for (let change = 0; change <= below(4) && bytes.length > 100; change++)
    bytes = CHANGES[below(CHANGES.length)]!(bytes, below);
  return bytes;
}

// Proves DEC-04
it(
  `answers ${FILES} mutated files with a result or a refusal (FUZZ_SEED=${SEED})`,
  async () => {
    const random = randomOf(SEED);
    const files = await originals();
    const outcomes: Record<string, number> = {};
    const problems: string[] = [];
    const next = (function* () {
      for (let number = 0; number < FILES; number++) {
        const { name, bytes, decode } = files[number % files.length]!;
        yield { name, number, bytes: mutate(bytes, random), decode };
      }
    })();
    const workers = [1, 2].map(async () => {
      for (const { name, number, bytes, decode } of next) {
        const outcome = await decode(bytes).then(
          () => 'accepted',
          (error: unknown) => {
            if (error instanceof Refusal) return `refused ${error.status}`;
            problems.push(`${name}, file ${number}: ${String(error)}`);
            return 'problem';
          },
        );
        outcomes[`${name}: ${outcome}`] = (outcomes[`${name}: ${outcome}`] ?? 0) + 1;
      }
    });
    await Promise.all(workers);
    console.log(`Decoders with FUZZ_SEED=${SEED}:`, outcomes);
    expect(problems).toEqual([]);
    // A generator whose files are all refused at their first byte would prove little.
    const accepted = files.reduce((sum, { name }) => sum + (outcomes[`${name}: accepted`] ?? 0), 0);
    expect(accepted).toBeGreaterThan(FILES / 20);
  },
  60_000 + FILES * 1000,
);
