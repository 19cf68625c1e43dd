import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** An address of a database that can be frozen. What is sent meanwhile arrives after the thaw, as if the database hung. `cut` ends all connections. */
export type FreezableDatabase = {
  url: string;
  freeze: () => void;
  thaw: () => void;
  cut: () => void;
  close: () => void;
};

export async function freezable(databaseUrl: string): Promise<FreezableDatabase> {
  const direct = new URL(databaseUrl);
  const sockets: net.Socket[] = [];
  let isFrozen = false;
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(direct.port), direct.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.push(from);
      from.on('data', (bytes) => void to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      if (isFrozen) from.pause();
    }
  });
  const cut = () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  };
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = new URL(direct);
  // Otherwise the pool would use the database's Unix socket.
  address.searchParams.delete('host');
  address.hostname = '127.0.0.1';
  address.port = String((proxy.address() as AddressInfo).port);
  return {
    url: address.href,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    close: () => {
      cut();
      proxy.close();
    },
  };
}
