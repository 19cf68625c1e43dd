/** Writes small files in the format MMDB (https://maxmind.github.io/MaxMind-DB/), to test other databases than the shipped one. */

type Value = string | number | Value[] | { [key: string]: Value };

/** A database of IPv4 networks, such as `{ '203.0.113.0/24': { country: { iso_code: 'US' } } }`. */
export function countryFile(networks: Record<string, Value>): Buffer {
  const nodes: [Branch, Branch][] = [[null, null]];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [network, value] of Object.entries(networks)) {
    const [address = '', length = '32'] = network.split('/');
    const bits = address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(length));
    let node = 0;
    for (const [index, bit] of bits.split('').entries()) {
      const side = Number(bit) as 0 | 1;
      if (index === bits.length - 1) nodes[node]![side] = { offset };
      else {
        const next = nodes[node]![side];
        const child = typeof next === 'number' ? next : nodes.push([null, null]) - 1;
        nodes[node]![side] = child;
        node = child;
      }
    }
    const encoded = encode(value);
    data.push(encoded);
    offset += encoded.length;
  }
  const count = nodes.length;
  const tree = Buffer.alloc(count * 6);
  for (const [index, branches] of nodes.entries())
    for (const [side, branch] of branches.entries()) {
      const pointer =
        branch === null ? count : typeof branch === 'number' ? branch : count + 16 + branch.offset;
      tree.writeUIntBE(pointer, index * 6 + side * 3, 3);
    }
  const metadata = encode({
    node_count: count,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'Test' },
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('ABCDEF', 'hex'),
    Buffer.from('MaxMind.com'),
    metadata,
  ]);
}

/** Another node, data, or nothing. */
type Branch = number | { offset: number } | null;

const MAP = 7;
const TEXT = 2;
const UINT32 = 6;
/** An extended type: its number less 7 follows the first byte. */
const ARRAY = 11;

function encode(value: Value): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([Buffer.from([(UINT32 << 5) | 4]), bytes]);
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([(TEXT << 5) | bytes.length]), bytes]);
  }
  if (Array.isArray(value))
    return Buffer.concat([Buffer.from([value.length, ARRAY - 7]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([(MAP << 5) | entries.length]),
    ...entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  ]);
}
