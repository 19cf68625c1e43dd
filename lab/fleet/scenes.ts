/** The scenes: each breaks a part of the fleet, mends it, and leaves the fleet as it was. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from './databases.ts';
import { clearDisk, fillDisk } from './disks.ts';
import { cut, type Host, HOSTS, rejoin } from './network.ts';

/** A program of the fleet. `SIGCONT` lets a stopped one go on. */
export type Program = {
  signal: (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => Promise<void> | void;
  /** Starts a killed one again. */
  start: () => Promise<void>;
};

export type Fleet = {
  servers: readonly (Program & { isReady: () => Promise<boolean> })[];
  balancer: Program;
  nats: Program;
  files: Program;
  database: Databases;
  /** The folders of the disks of servers and NATS. */
  disks: { servers: string; nats: string };
  /** Sets the clock of the second host this far from the right one. */
  setClock: (seconds: number) => void;
  setRate: (perSecond: number) => void;
  usualRate: number;
  /** How many requests of this scene failed in which way, such as `view 503`. */
  failures: ReadonlyMap<string, number>;
  /** Ends a server as an operator does, and starts it again. */
  restart: (server: number) => Promise<void>;
  /** Takes an ad down. Returns the milliseconds until no server shows it. */
  takeDown: () => Promise<number>;
};

/** `act` returns sentences about what does not hold. */
export type Scene = {
  name: string;
  act: (fleet: Fleet, whileBroken: () => Promise<void>) => Promise<string[] | void>;
  /** The only requests that may fail. If absent, any may. */
  mayFail?: RegExp;
};

/** The standby is away for so long before the primary is lost. */
const AWAY_MS = 5000;
const MAX_TAKEDOWN_MS = 2000;
const HOUR_SECONDS = 3600;
/** The first server of the second host. */
const SECOND_HOST = 2;
/** Within this time the stream of events must be full. */
const MAX_FILLING_MS = 90_000;

const killed = (name: string, of: (fleet: Fleet) => Program, mayFail?: RegExp): Scene => ({
  name: `${name}: killed`,
  ...(mayFail && { mayFail }),
  act: async (fleet, whileBroken) => {
    await of(fleet).signal('SIGKILL');
    await whileBroken();
    await of(fleet).start();
  },
});

const stopped = (name: string, of: (fleet: Fleet) => Program, mayFail?: RegExp): Scene => ({
  name: `${name}: stopped`,
  ...(mayFail && { mayFail }),
  act: async (fleet, whileBroken) => {
    await of(fleet).signal('SIGSTOP');
    await whileBroken();
    await of(fleet).signal('SIGCONT');
  },
});

const cutOff = (host: Host): Scene => ({
  name: `host ${host.name}: cut off`,
  act: async (_fleet, whileBroken) => {
    await cut(host);
    await whileBroken();
    await rejoin(host);
  },
});

const full = (name: string, of: (fleet: Fleet) => string): Scene => ({
  name: `disk of ${name}: full`,
  act: async (fleet, whileBroken) => {
    await fillDisk(of(fleet));
    await whileBroken();
    await clearDisk(of(fleet));
  },
});

/** Servers of two clocks refuse views that the others decided, because they are too old or too young. */
const stepped = (name: string, seconds: number): Scene => ({
  name: `clock of host b: ${name}`,
  mayFail: /^view 400$/,
  act: async ({ servers, setClock }, whileBroken) => {
    setClock(seconds);
    await whileBroken();
    const areReady = await Promise.all(servers.map(({ isReady }) => isReady()));
    setClock(0);
    return servers.flatMap((_, n) =>
      areReady[n] === n >= SECOND_HOST
        ? [`Server ${n + 1} was ${areReady[n] ? 'ready with a wrong clock' : 'not ready'}.`]
        : [],
    );
  },
});

const SERVERS = [0, 1, 2, 3];
/** An image of an ad. */
const ONLY_IMAGES = /^image /;

export const SCENES: readonly Scene[] = [
  ...SERVERS.flatMap((n) => [
    killed(`server ${n + 1}`, ({ servers }) => servers[n]!),
    stopped(`server ${n + 1}`, ({ servers }) => servers[n]!),
  ]),
  ...HOSTS.map(cutOff),
  killed('balancer', ({ balancer }) => balancer),
  stopped('balancer', ({ balancer }) => balancer),
  killed('NATS', ({ nats }) => nats),
  stopped('NATS', ({ nats }) => nats),
  {
    name: 'stream of NATS: full',
    act: async ({ database, failures, setRate, usualRate }) => {
      // Nothing is counted meanwhile.
      await database.primary.signal('SIGSTOP');
      setRate(10 * usualRate);
      const began = performance.now();
      while (!failures.has('view 503') && performance.now() - began < MAX_FILLING_MS) await pause(100);
      const isFull = failures.has('view 503');
      setRate(usualRate);
      await database.primary.signal('SIGCONT');
      return isFull ? [] : ['No view was refused.'];
    },
  },
  killed('database', ({ database }) => database.primary),
  stopped('database', ({ database }) => database.primary),
  stopped('standby', ({ database }) => database.standby),
  {
    name: 'database: lost, a standby that lags promoted',
    act: async ({ database, takeDown }, whileBroken) => {
      await database.endStandby();
      await pause(AWAY_MS);
      await database.losePrimary();
      await whileBroken();
      await database.startStandby();
      await database.promote();
      const ms = await takeDown();
      await database.addStandby();
      return ms <= MAX_TAKEDOWN_MS ? [] : [`A takedown took ${Math.round(ms)} ms on the promoted standby.`];
    },
  },
  killed('files in S3', ({ files }) => files, ONLY_IMAGES),
  stopped('files in S3', ({ files }) => files, ONLY_IMAGES),
  stepped('an hour ahead', HOUR_SECONDS),
  stepped('an hour behind', -HOUR_SECONDS),
  full('the servers', ({ disks }) => disks.servers),
  full('the database', ({ database }) => database.disk()),
  {
    name: 'disk of NATS: full',
    act: async ({ disks, nats }, whileBroken) => {
      await fillDisk(disks.nats);
      await whileBroken();
      await clearDisk(disks.nats);
      // NATS 2.9 does not always go on by itself, so an operator starts it again.
      await nats.signal('SIGKILL');
      await nats.start();
    },
  },
  {
    name: 'ten times as many visitors',
    act: async ({ setRate, usualRate }, whileBroken) => {
      setRate(10 * usualRate);
      await whileBroken();
      setRate(usualRate);
    },
  },
  {
    name: 'servers taken away and added, one by one',
    act: async ({ restart }) => {
      for (const n of SERVERS) await restart(n);
    },
  },
];
