import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** An address of a database that can be frozen. What is sent meanwhile arrives after the thaw, as if the database hung. `cut` ends all connections, and `failOver` also leads new ones to another server. */
export type FreezableDatabase = {
  url: string;
  freeze: () => void;
  thaw: () => void;
  cut: () => void;
  failOver: (databaseUrl: string) => void;
  close: () => void;
};

export async function freezable(databaseUrl: string): Promise<FreezableDatabase> {
  const direct = new URL(databaseUrl);
  let target = { port: Number(direct.port), host: direct.hostname };
  const sockets: net.Socket[] = [];
  let isFrozen = false;
  const proxy = net.createServer((client) => {
    const server = net.connect(target);
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
    failOver: (to) => {
      const { port, hostname } = new URL(to);
      target = { port: Number(port), host: hostname };
      cut();
    },
    close: () => {
      cut();
      proxy.close();
    },
  };
}
