/** Two hosts as network namespaces on one bridge, and relays by which they reach what runs on this machine. */
import { execFile } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BRIDGE = 'openslot0';
/** A range for tests (RFC 2544), so that it is nobody's. */
const NETWORK = '198.18.77';
export const GATEWAY = `${NETWORK}.1`;

/** A host of the fleet. `link` is the end of its cable on this machine. */
export type Host = { name: string; address: string; namespace: string; link: string };

/** `number` is the last part of its address. */
const hostOf = (name: string, number: number): Host => ({
  name,
  address: `${NETWORK}.${number}`,
  namespace: `openslot-${name}`,
  link: `openslot-${name}0`,
});
export const HOSTS: readonly Host[] = [hostOf('a', 2), hostOf('b', 3)];

const ip = async (...args: string[]) => await run('ip', args);

/** Makes the bridge and the hosts. What an earlier run has left is removed first. */
export async function plugIn(): Promise<void> {
  await unplug();
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  for (const host of HOSTS) await addHost(host);
}

/** Makes a host on the bridge. */
async function addHost({ namespace, link, address }: Host): Promise<void> {
  await ip('netns', 'add', namespace);
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('link', 'set', link, 'master', BRIDGE, 'up');
  await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  for (const each of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', each, 'up');
}

/** Ends the programs of the hosts, and removes hosts and bridge. */
export async function unplug(): Promise<void> {
  for (const host of HOSTS) await removeHost(host);
  await ip('link', 'delete', BRIDGE).catch(() => {});
}

/** Each command fails if an earlier run has left nothing to remove. */
async function removeHost({ namespace }: Host): Promise<void> {
  const { stdout } = await ip('netns', 'pids', namespace).catch(() => ({ stdout: '' }));
  for (const pid of stdout.split('\n').filter(Boolean))
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // A program may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  await ip('netns', 'delete', namespace).catch(() => {});
}

/** Cuts the cable of a host, or plugs it in again. Nothing tells either side, as with a broken switch. */
export async function cut({ link }: Host): Promise<void> {
  await ip('link', 'set', link, 'nomaster');
}
export async function rejoin({ link }: Host): Promise<void> {
  await ip('link', 'set', link, 'master', BRIDGE);
}

export type Relay = {
  port: number;
  /** Passes new connections on to another port, and ends the others. */
  leadTo: (port: number) => void;
  close: () => Promise<void>;
};

/** Passes connections of the hosts on to a port of this machine. */
export async function relayTo(first: number): Promise<Relay> {
  let port = first;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const target = net.connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      // The other side learns of every end at once.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, GATEWAY, resolve);
  });
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    leadTo: (next) => {
      port = next;
      endAll();
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
