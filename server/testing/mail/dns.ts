/** A DNS server on this machine, for tests of what our server does with the answers (RFC 1035). */
import { createSocket } from 'node:dgram';

export type DnsServer = {
  /** 'address:port', as `createNames` takes it. */
  address: string;
  /** The records by name and type, such as 'TXT _openslot.daily.example'. A name without any record does not exist. */
  records: Map<string, readonly string[]>;
  /** Every question so far, such as 'A daily.example'. */
  asked: string[];
  /** False lets all questions go unanswered. */
  answers: boolean;
  /** Called after each answer, so that the next one can differ. */
  afterAnswer: () => void;
  close: () => Promise<void>;
};

const TYPES: Readonly<Record<number, 'A' | 'AAAA' | 'TXT'>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    asked: [],
    answers: true,
    afterAnswer: () => {},
    close: async () => await new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    server.asked.push(`${type} ${name}`);
    if (!server.answers) return;
    const values = server.records.get(`${type} ${name}`) ?? [];
    const isKnown = [...server.records.keys()].some((key) => key.endsWith(` ${name}`));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // A response that supports recursion, with code 3 (no such name) for an unknown name.
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    const answers = values.map((value) => answerOf(query.readUInt16BE(end - 4), dataOf(type, value)));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address);
    server.afterAnswer();
  });
  return server;
}

function questionOf(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] ?? '', end: at + 5 };
}

/** The name is a pointer to the question, the class IN, and the lifetime zero. */
function answerOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: string, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') return Buffer.from(value.replaceAll(':', ''), 'hex');
  // A text longer than 255 bytes is written in parts.
  const parts = value.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part, 'latin1')]));
}
