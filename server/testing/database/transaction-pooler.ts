/**
 * A stand-in for PgBouncer with `pool_mode=transaction`: each transaction gets whichever connection is free. It speaks
 * just enough of PostgreSQL's protocol for the client of the server.
 */
import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';

type Options = {
  /** The number of connections to the database. */
  backends: number;
  /** Whether it ignores startup parameters that it does not know. PgBouncer refuses them by default. */
  ignoresParameters: boolean;
};

export async function startTransactionPooler(
  databaseUrl: string,
  { backends, ignoresParameters }: Options,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const clients = await Promise.all(
    Array.from({ length: backends }, async () => await openBackend(databaseUrl)),
  );
  const free = clients.map(socketOf);
  const waiting: ((backend: net.Socket) => void)[] = [];
  const sockets = new Set<net.Socket>();

  const take = async (): Promise<net.Socket> =>
    free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  const giveBack = (backend: net.Socket): void => {
    const next = waiting.shift();
    if (next) next(backend);
    else free.push(backend);
  };

  function serve(client: net.Socket): void {
    sockets.add(client);
    let backend: Promise<net.Socket> | undefined;
    let isGreeted = false;
    client.on('error', () => {});
    onMessages(client, false, (message) => {
      if (!isGreeted) {
        isGreeted = true;
        if (!ignoresParameters && message.includes('statement_timeout')) client.end(REFUSED);
        else client.write(GREETING);
      } else if (message[0] === TERMINATE) {
        client.end();
      } else {
        backend ??= take().then((socket) => {
          onMessages(socket, true, (answer) => {
            client.write(answer);
            if (answer[0] !== READY || answer[5] !== IDLE) return;
            socket.removeAllListeners('data');
            backend = undefined;
            giveBack(socket);
          });
          return socket;
        });
        void backend.then((socket) => socket.write(message));
      }
    });
    client.on('close', () => {
      sockets.delete(client);
      // A client that leaves in the middle of its transaction ends it.
      void backend?.then((socket) => socket.write(query('rollback')));
    });
  }

  const server = net.createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `postgres://pooled@127.0.0.1:${port}/pooled`,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(clients.map(async (each) => await each.end().catch(() => {})));
    },
  };
}

const TERMINATE = 'X'.codePointAt(0);
const READY = 'Z'.codePointAt(0);
const IDLE = 'I'.codePointAt(0);

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const query = (sql: string) => message('Q', Buffer.from(`${sql}\0`));
/** The client is signed in without a password, and the pooler waits for its queries. */
const GREETING = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const REFUSED = message(
  'E',
  Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'),
);

/** Calls `take` with each whole message. The first message of a client has no letter for its type. */
function onMessages(socket: net.Socket, isTyped: boolean, take: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  let letters = isTyped ? 1 : 0;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= letters + 4) {
      const length = letters + rest.readInt32BE(letters);
      if (rest.length < length) return;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      letters = 1;
      take(whole);
    }
  });
}

async function openBackend(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The socket of a client that has signed in. The pooler then answers for the client. */
function socketOf(client: pg.Client): net.Socket {
  const { stream } = (client as unknown as { connection: { stream: net.Socket } }).connection;
  stream.removeAllListeners('data');
  return stream;
}
