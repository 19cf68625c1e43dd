import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacSha256 } from './hmac.ts';

const bytes = (least: number, most: number) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((values) => Buffer.from(values));

it('GEN-19 signs as the standard HMAC does, time after time', () => {
  fc.assert(
    fc.property(bytes(0, 64), bytes(0, 100), bytes(1, 100), (key, first, second) => {
      const sign = hmacSha256(key, first.length);
      const standard = (message: Buffer) => createHmac('sha256', key).update(message).digest('base64url');
      const other = Buffer.alloc(first.length, second);
      for (const message of [first, other, first]) expect(sign(message)).toBe(standard(message));
    }),
  );
});

it('GEN-19 refuses what it was not made for', () => {
  expect(() => hmacSha256(Buffer.alloc(65), 1)).toThrow(RangeError);
  expect(() => hmacSha256(Buffer.alloc(32), 1)(Buffer.alloc(2))).toThrow(RangeError);
});
