import { createHash, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';

/** A key pair as an operator makes it: `dns` is the text of the TXT record. */
export function makeDkimKey(): { privateKey: string; dns: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    dns: `v=DKIM1; k=rsa; p=${der.toString('base64')}`,
  };
}

export type Signature = { tags: Record<string, string>; isValid: boolean };

/**
 * Checks the DKIM signature of a mail as a receiver does (RFC 6376, relaxed/relaxed, SHA-256), written from the RFC and
 * without the signer's code. Null if there is no signature.
 */
export function readSignature(raw: string, dns: string): Signature | null {
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const body = raw.slice(end + 4);
  const own = fields.find((field) => /^dkim-signature:/i.test(field));
  if (own === undefined) return null;
  const tags = tagsOf(own.slice(own.indexOf(':') + 1));
  const bodyHash = createHash('sha256').update(relaxedBody(body)).digest('base64');
  const remaining = fields.filter((field) => field !== own);
  const signed = (tags['h'] ?? '').split(':').flatMap((name) => {
    const at = remaining.findLastIndex((field) => nameOf(field) === name.trim().toLowerCase());
    return at < 0 ? [] : remaining.splice(at, 1).map((field) => `${relaxedField(field)}\r\n`);
  });
  const unsigned = own.replace(/(\bb=)[^;]*$/, '$1');
  const key = createPublicKey({
    key: Buffer.from(tagsOf(dns)['p'] ?? '', 'base64'),
    type: 'spki',
    format: 'der',
  });
  const isSigned = createVerify('RSA-SHA256')
    .update([...signed, relaxedField(unsigned)].join(''))
    .verify(key, tags['b'] ?? '', 'base64');
  return { tags, isValid: isSigned && bodyHash === tags['bh'] };
}

function tagsOf(list: string): Record<string, string> {
  return Object.fromEntries(
    list.split(';').flatMap((tag) => {
      const at = tag.indexOf('=');
      return at < 0 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replaceAll(/\s/g, '')]];
    }),
  );
}

const nameOf = (field: string) => field.slice(0, field.indexOf(':')).trim().toLowerCase();

function relaxedField(field: string): string {
  const value = field
    .slice(field.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  return `${nameOf(field)}:${value}`;
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}
